/**
 * What a feed adapter is: a pure step from what an outside source sends to facts of one match. It owns the source's format and
 * the ids of its facts; it does not own the match (the domain's fold does), the clock, or where facts are kept.
 *
 * The context of a step is the match folded from every fact known so far and a small memory of the adapter's own. Both come back
 * from the match's FEED subject after a crash: the state by folding it, the memory by `recall`.
 */
import type { RejectionCode } from "@matchpoint/domain/cs2/live/decide"
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { foldAll } from "@matchpoint/domain/cs2/live/fold"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"

export interface AdapterContext<Memory> {
  readonly state: MatchState
  readonly memory: Memory
}

/** Something the source sent that is neither a fact nor known to be uninteresting. */
export interface Problem {
  readonly code: RejectionCode
  readonly message: string
  /** What was sent, as far as it helps to find the place. */
  readonly raw: string
  /** Which line or element of the input, from 1; absent where the input is one piece. */
  readonly line?: number
}

export interface AdapterStep<Memory> {
  readonly context: AdapterContext<Memory>
  /** Facts the fold accepted, in order. */
  readonly events: ReadonlyArray<FeedEvent>
  readonly problems: ReadonlyArray<Problem>
  /** Pieces of the input that told nothing new: sent before, or of no interest. */
  readonly ignored: number
}

export interface Adapter<Input, Memory> {
  /** The first token of the ids of its facts. */
  readonly name: string
  /** What it remembers of a match none of whose facts it has told. */
  readonly initial: (state: MatchState) => Memory
  /** Takes up a fact that was told before a restart. */
  readonly recall: (memory: Memory, event: FeedEvent) => Memory
  readonly step: (context: AdapterContext<Memory>, input: Input, receivedAt: number) => AdapterStep<Memory>
}

/** The context as it was when the last of `history` had been told. Undefined: the history does not begin a match. */
export const contextFrom = <Input, Memory>(
  adapter: Adapter<Input, Memory>,
  history: Iterable<FeedEvent>,
): AdapterContext<Memory> | undefined => {
  const events = [...history]
  const state = foldAll(undefined, events)
  return state === undefined ? undefined : { state, memory: events.reduce(adapter.recall, adapter.initial(state)) }
}
