/**
 * Recording of a match: its description, and the chunks of its feed in the order of arrival. Replaying it through the
 * adapter of the feed yields the events of the match. This module does not read files, wait or send anything.
 */
import { factId, type MatchId } from "@matchpoint/domain/ids"
import type { Recording, RecordingStep } from "@matchpoint/game/feed/replay/Recording"
import type { Registration } from "../../contract/http/feed/Cs2FeedApi.ts"
import { CS2 } from "../../rules/live/cs2Rules.ts"
import { evolve } from "../../rules/live/evolve.ts"
import type { FeedEvent, FeedEventOf } from "../../rules/live/feedEvents.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { finalTable, matchLine } from "../replay/summary.ts"
import type { Adapter, AdapterContext } from "./Adapter.ts"

export type MatchCreated = FeedEventOf<"MatchCreated">["payload"]

export interface Recorded<Input> {
  readonly created: MatchCreated
  /** `at` is the arrival time in epoch milliseconds and never decreases. */
  readonly inputs: ReadonlyArray<{ readonly at: number; readonly input: Input }>
}

/** The events of one replayed chunk, and the match state after it. */
export interface Cs2RecordingStep extends RecordingStep {
  readonly events: ReadonlyArray<FeedEvent>
  readonly state: MatchState
}

export interface Cs2Recording extends Recording {
  readonly created: MatchCreated
  play(matchId: MatchId): Iterable<Cs2RecordingStep>
}

export const recordingOf = <Input, Memory>(format: string, adapter: Adapter<Input, Memory>, recorded: Recorded<Input>): Cs2Recording => ({
  game: CS2,
  format,
  title: recorded.created.teams.map(({ name }) => name).join(" - "),
  created: recorded.created,
  registration: registrationOf(recorded.created),
  startedAt: recorded.inputs[0]?.at ?? 0,
  endedAt: recorded.inputs.at(-1)?.at ?? 0,
  length: recorded.inputs.length,
  *play(matchId) {
    let context = contextOf(adapter, createdEvent(matchId, recorded.created, recorded.inputs[0]?.at ?? 0))
    for (const { at, input } of recorded.inputs) {
      const step = adapter.step(context, input, at)
      context = step.context
      const { state } = context
      yield { at, events: step.events, problems: step.problems, state, line: () => matchLine(state), table: () => finalTable(state) }
    }
  },
  cancelled: (at) => ({ id: factId("end"), type: "MatchEnded", observedAt: at, payload: { winnerTeamId: null, reason: "cancelled" } }),
})

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

const registrationOf = ({ bestOf, eventName, roster, rules, teams }: MatchCreated): Registration => ({
  bestOf,
  teams: [
    { id: teams[0].id, name: teams[0].name },
    { id: teams[1].id, name: teams[1].name },
  ],
  rules,
  ...(eventName === undefined ? {} : { eventName }),
  roster: (roster ?? []).map(({ name, nickname, playerId, teamId }) => ({
    playerId,
    team: teamId === teams[0].id ? (1 as const) : (2 as const),
    // The API contract requires nicknames that are not empty and have no surrounding white space.
    nickname: nickname.trim() || playerId,
    ...(name === undefined ? {} : { name }),
  })),
})
