/**
 * A feed adapter converts the input of an external source to facts (reported events) of one match, without side
 * effects. It defines the format of the source and the ids of the facts. It is not responsible for the match state (the
 * fold computes it), the clock or the storage of facts.
 *
 * Each call receives a context: the match state after all facts so far, and the memory, a small internal state of the
 * adapter. After a crash, both are restored from the match's records in FEED: folding the facts restores the match
 * state, and `recall` restores the memory.
 */
import type { FeedLines } from "@matchpoint/contracts/http/feed/FactsApi"
import type { RejectionCode } from "../../rules/live/decide.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import { foldAll } from "../../rules/live/fold.ts"
import type { MatchState } from "../../rules/live/state.ts"

export interface AdapterContext<Memory> {
  readonly state: MatchState
  readonly memory: Memory
}

/** Part of the input that could not be processed: it is neither a valid fact nor known to be irrelevant. */
export interface Problem {
  readonly code: RejectionCode
  readonly message: string
  /** Excerpt of the input that shows the sender where the problem is. */
  readonly raw: string
  /** Affected line or list element, from 1. Absent if the input is not a list. */
  readonly line?: number
}

export interface AdapterStep<Memory> {
  readonly context: AdapterContext<Memory>
  /** New facts in order, all of them accepted by the match. */
  readonly events: ReadonlyArray<FeedEvent>
  readonly problems: ReadonlyArray<Problem>
  /** Lines or elements that added no facts because they had been sent before or are irrelevant. */
  readonly ignored: number
  /** Outcomes of the lines, if the input consists of lines. */
  readonly lines?: FeedLines
}

export interface Adapter<Input, Memory> {
  /** The ids of all facts of the adapter start with this name. */
  readonly name: string
  /** Memory for a match that has no facts from this adapter yet. */
  readonly initial: (state: MatchState) => Memory
  /** Called after a restart for each event of the match in order. Returns the memory as it was after that event. */
  readonly recall: (memory: Memory, event: FeedEvent) => Memory
  readonly step: (context: AdapterContext<Memory>, input: Input, receivedAt: number) => AdapterStep<Memory>
}

/** The context after the last event of `history`. Undefined if it does not contain the start of a match. */
export const contextFrom = <Input, Memory>(
  adapter: Adapter<Input, Memory>,
  history: Iterable<FeedEvent>,
): AdapterContext<Memory> | undefined => {
  const events = [...history]
  const state = foldAll(undefined, events)
  return state === undefined ? undefined : { state, memory: events.reduce(adapter.recall, adapter.initial(state)) }
}
