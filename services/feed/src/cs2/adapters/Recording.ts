/**
 * A recorded match: what it says of itself, and its pieces in the order they came. Playing it yields the facts its adapter derives.
 * It does not read files, wait, or send anything.
 */

import { evolve } from "@matchpoint/domain/cs2/evolve"
import type { FeedEvent, FeedEventOf } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import type { Adapter, AdapterContext, Problem } from "./Adapter.ts"

export type MatchCreated = FeedEventOf<"MatchCreated">["payload"]

export interface Recorded<Input> {
  readonly created: MatchCreated
  /** `at`: when the piece came, epoch milliseconds, never falling. */
  readonly inputs: ReadonlyArray<{ readonly at: number; readonly input: Input }>
}

export interface RecordingStep {
  readonly at: number
  readonly events: ReadonlyArray<FeedEvent>
  readonly problems: ReadonlyArray<Problem>
  readonly state: MatchState
}

export interface Recording {
  /** For people: "CS2 server log". */
  readonly format: string
  readonly created: MatchCreated
  readonly startedAt: number
  readonly endedAt: number
  /** Pieces. */
  readonly length: number
  readonly play: (matchId: MatchId) => Iterable<RecordingStep>
}

export const recordingOf = <Input, Memory>(format: string, adapter: Adapter<Input, Memory>, recorded: Recorded<Input>): Recording => ({
  format,
  created: recorded.created,
  startedAt: recorded.inputs[0]?.at ?? 0,
  endedAt: recorded.inputs.at(-1)?.at ?? 0,
  length: recorded.inputs.length,
  *play(matchId) {
    let context = contextOf(adapter, createdEvent(matchId, recorded.created, recorded.inputs[0]?.at ?? 0))
    for (const { at, input } of recorded.inputs) {
      const step = adapter.step(context, input, at)
      context = step.context
      yield { at, events: step.events, problems: step.problems, state: context.state }
    }
  },
})

/** The first fact of a match. */
export const createdEvent = (matchId: MatchId, created: MatchCreated, at: number): FeedEventOf<"MatchCreated"> => ({
  id: factId("created"),
  matchId,
  source: "main",
  observedAt: at,
  receivedAt: at,
  type: "MatchCreated",
  payload: created,
})

const contextOf = <Input, Memory>(adapter: Adapter<Input, Memory>, created: FeedEventOf<"MatchCreated">): AdapterContext<Memory> => {
  const state = evolve(undefined, created)
  return { state, memory: adapter.initial(state) }
}
