/**
 * Definition of a feed adapter: a pure step from the input of an external source to facts of one match. The adapter
 * owns the source's format and the ids of its facts. It does not own the match (the domain's fold does), the clock or
 * the storage of facts.
 *
 * The context of a step is the match state, folded from all facts so far, and a small memory of the adapter. After a
 * crash both are restored from the match's FEED subject: the state by folding it, the memory by `recall`.
 */
import type { RejectionCode } from "@matchpoint/domain/cs2/live/decide"
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { foldAll } from "@matchpoint/domain/cs2/live/fold"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"

export interface AdapterContext<Memory> {
  readonly state: MatchState
  readonly memory: Memory
}

/** Part of the input that is neither a fact nor known to be irrelevant. */
export interface Problem {
  readonly code: RejectionCode
  readonly message: string
  /** Excerpt of the input that helps to find the problem. */
  readonly raw: string
  /** Line or element of the input, from 1. Absent if the input is one piece. */
  readonly line?: number
}

export interface AdapterStep<Memory> {
  readonly context: AdapterContext<Memory>
  /** Facts that the fold accepted, in order. */
  readonly events: ReadonlyArray<FeedEvent>
  readonly problems: ReadonlyArray<Problem>
  /** Number of input parts without new facts: sent before, or irrelevant. */
  readonly ignored: number
}

export interface Adapter<Input, Memory> {
  /** First token of the ids of its facts. */
  readonly name: string
  /** Returns the memory for a match without facts from this adapter. */
  readonly initial: (state: MatchState) => Memory
  /** Updates the memory by a fact that was produced before a restart. */
  readonly recall: (memory: Memory, event: FeedEvent) => Memory
  readonly step: (context: AdapterContext<Memory>, input: Input, receivedAt: number) => AdapterStep<Memory>
}

/**
 * Restores the context as it was after the last fact of `history`. Returns undefined if the history does not start a
 * match.
 */
export const contextFrom = <Input, Memory>(
  adapter: Adapter<Input, Memory>,
  history: Iterable<FeedEvent>,
): AdapterContext<Memory> | undefined => {
  const events = [...history]
  const state = foldAll(undefined, events)
  return state === undefined ? undefined : { state, memory: events.reduce(adapter.recall, adapter.initial(state)) }
}
