/**
 * Interface of a feed adapter: a function without side effects that converts the input of an external source to facts
 * (events) of one match. The adapter defines the format of the source and the ids of the facts. It is not responsible
 * for the match state (the domain's fold computes it), the clock or the storage of facts.
 *
 * Each call receives a context, which consists of the match state, computed from all facts so far, and a small internal
 * state of the adapter, called its memory. After a crash, both are restored from the match's records in the FEED
 * stream. Folding the facts restores the match state, and `recall` restores the memory.
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

/**
 * Part of the input that could not be processed, because it is neither a valid fact (event of the match) nor known to
 * be irrelevant.
 */
export interface Problem {
  readonly code: RejectionCode
  readonly message: string
  /** Excerpt of the input that shows the sender where the problem is. */
  readonly raw: string
  /** Position of the affected line or list element in the input, starting at 1. Absent if the input is not a list. */
  readonly line?: number
}

export interface AdapterStep<Memory> {
  readonly context: AdapterContext<Memory>
  /** New facts (events of the match), in order. The match accepted all of them. */
  readonly events: ReadonlyArray<FeedEvent>
  readonly problems: ReadonlyArray<Problem>
  /**
   * Number of lines or elements of the input that added no events because they had been sent before or are irrelevant.
   */
  readonly ignored: number
  /** Outcomes of the lines, if the input consists of lines. */
  readonly lines?: FeedLines
}

export interface Adapter<Input, Memory> {
  /** Name of the adapter. The ids of all events that the adapter produces start with this name. */
  readonly name: string
  /**
   * Returns the initial memory (internal state) of the adapter, for a match that has no facts (events) from this
   * adapter yet.
   */
  readonly initial: (state: MatchState) => Memory
  /**
   * Restores the adapter's memory (internal state) after a restart. It is called for each event of the match in order,
   * and returns the memory as it was after that event.
   */
  readonly recall: (memory: Memory, event: FeedEvent) => Memory
  readonly step: (context: AdapterContext<Memory>, input: Input, receivedAt: number) => AdapterStep<Memory>
}

/**
 * Restores the context of an adapter (the match state and the adapter's internal state) as it was after the last event
 * of `history`. Returns undefined if the history does not contain the start of a match.
 */
export const contextFrom = <Input, Memory>(
  adapter: Adapter<Input, Memory>,
  history: Iterable<FeedEvent>,
): AdapterContext<Memory> | undefined => {
  const events = [...history]
  const state = foldAll(undefined, events)
  return state === undefined ? undefined : { state, memory: events.reduce(adapter.recall, adapter.initial(state)) }
}
