/**
 * Converts a match of the register for the archive. An announced match has no results. A live match has the number of
 * maps won. A finished match is complete, from the final state of the fold. If there is no such state, only the result
 * in the register is used. Pure.
 */

import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { ArchivedMatch, EventRef, PlayerRef, TeamRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { nameKey } from "@matchpoint/domain/cs2/archive/names"
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "@matchpoint/domain/cs2/archive/sources"
import { type PlayerId, playerNumber, TeamId, teamNumber } from "@matchpoint/domain/cs2/ids"
import type { TeamIndex } from "@matchpoint/domain/cs2/live/rules"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"
import { matchNumber } from "@matchpoint/domain/ids"
import type { DueMatch } from "@matchpoint/store/cs2/upkeep/ArchiveBacklog"
import type { PlayerReport } from "@matchpoint/store/cs2/writer/reports"
import { isOpenResult, type MatchTeam, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { DateTime, Option, Schema } from "effect"
import { archivedMap, hasPlayed } from "./archivedMap.ts"

/** `events` are all events of the match, or undefined if some are lost. */
export const archivedMatch = (
  row: DueMatch,
  state: MatchState | undefined,
  events: ReadonlyArray<LiveEvent> | undefined,
): ArchivedMatch => {
  const announced = announcedMatch(row, state)
  // If it is not certain which team is which, scores and winner are left out until an operator has resolved the names.
  const isUnresolved = isOpenResult(row.result) || (state !== undefined && state.unresolvedNames.length > 0)
  // The state may be ahead of what delayed plans have received. The row is not, because it is only due after that
  // delay.
  if (row.status === "live") return isUnresolved ? announced : { ...announced, score: row.mapsWon }
  if (row.status === "scheduled") return announced
  const endsAt = row.endedAt === null ? {} : { endsAt: DateTime.toEpochMillis(row.endedAt) }
  const over = { ...announced, ...endsAt, status: row.status }
  if (isUnresolved) return { ...over, confidence: "low" }
  return state === undefined || state.endedAt === null ? { ...over, ...resultAlone(row) } : { ...over, ...wholeMatch(state, events) }
}

const announcedMatch = (row: RegisteredMatch, state: MatchState | undefined): ArchivedMatch => ({
  source: sourceOf(row),
  key: String(matchNumber(row.matchId)),
  matchNumber: matchNumber(row.matchId),
  status: row.status === "live" ? "live" : "upcoming",
  ...startOf(row),
  ...(state === undefined || state.eventName === null ? {} : { event: eventRef(state.eventName) }),
  bestOf: row.bestOf,
  teams: [teamRef(row.team1), teamRef(row.team2)],
  lineups: [[], []],
  games: [],
  confidence: "high",
})

/** Returns the source that the archive keeps for all data of the match. */
const sourceOf = ({ config }: RegisteredMatch): string => (isSimulated(config) ? SIMULATOR_SOURCE : LIVE_SOURCE)

/** The simulator marks its matches in the register, with the options to generate them again. */
const isSimulated = Schema.is(Schema.Struct({ simulated: Schema.Record(Schema.String, Schema.Unknown) }))

/** Returns the actual or scheduled start. If neither is known, returns the day on which the match was announced. */
const startOf = ({ config, createdAt, startedAt }: RegisteredMatch): Pick<ArchivedMatch, "startsAt" | "startsPrecision"> => {
  const at = startedAt === null ? Option.getOrUndefined(Option.map(decodeSchedule(config), ({ startsAt }) => startsAt)) : startedAt
  return at === undefined
    ? { startsAt: DateTime.toEpochMillis(DateTime.startOf(createdAt, "day")), startsPrecision: "day" }
    : { startsAt: DateTime.toEpochMillis(at), startsPrecision: "minute" }
}

/** Schedule that any feed may write into the register for an upcoming match. */
const decodeSchedule = Schema.decodeUnknownOption(Schema.Struct({ startsAt: Schema.DateTimeUtcFromString }))

const eventRef = (name: string): EventRef => ({ key: nameKey(name), name })

const isTeamId = Schema.is(TeamId)

const teamRef = ({ id, name }: MatchTeam): TeamRef => ({ key: id, name, ...(isTeamId(id) ? { teamNumber: teamNumber(id) } : {}) })

/**
 * Returns the results of a finished match. Leaves out a map that was not played to its end because the match was called
 * off.
 */
const wholeMatch = (state: MatchState, events: ReadonlyArray<LiveEvent> | undefined): Partial<ArchivedMatch> => {
  const refs = new Map(state.players.map(({ id, nickname }) => [id as string, refOfPlayer(id, nickname)]))
  const maps = state.maps.filter(({ status }) => status === "completed")
  const played = new Set(maps.flatMap(({ lines }) => lines.filter(hasPlayed).map(({ playerId }) => playerId)))
  const lineup = (team: TeamIndex) =>
    state.players.filter((one) => one.team === team && played.has(one.id)).map((one) => refOfPlayer(one.id, one.nickname))
  const isForfeit = state.endReason === "forfeit"
  return {
    // A match that was forfeited before its first map has a winner but no score.
    ...(isForfeit && maps.length === 0 ? {} : { score: state.seriesScore }),
    ...(state.winner === null || state.winner === "draw" ? {} : { winner: state.winner }),
    isForfeit,
    lineups: [lineup(0), lineup(1)],
    games: maps.map((map) => archivedMap(state, map, events, (player) => (typeof player === "string" ? refs.get(player) : undefined))),
    confidence: maps.every(({ rounds, roundsPlayed }) => rounds.length === roundsPlayed) ? "high" : "medium",
  }
}

/**
 * Returns the players of a started match with their real names, if known, and while the match is live also their teams.
 * A feed without real names repeats the nickname in place of the name.
 */
export const archivedPlayers = (row: DueMatch, state: MatchState | undefined): ReadonlyArray<PlayerReport> => {
  if (state === undefined || row.status === "scheduled" || state.startedAt === null) return []
  const seen = { source: LIVE_SOURCE, at: state.startedAt }
  return state.players.map(({ id, name, nickname, team }) => {
    const teamId = state.teams[team].id
    return {
      player: { ...refOfPlayer(id, nickname), ...(name === null || name === nickname ? {} : { realName: name }) },
      seen,
      // Once the match is over, its line-up contains the players that played.
      ...(row.status === "live" && isTeamId(teamId) ? { teamNumber: teamNumber(teamId) } : {}),
    }
  })
}

const refOfPlayer = (id: PlayerId, nickname: string): PlayerRef => ({ key: id, nickname, playerNumber: playerNumber(id) })

/** Part of the result written by `resultOf` that is enough for a match without a state. */
const Result = Schema.Struct({
  winnerTeamId: Schema.NullOr(Schema.String),
  seriesScore: Schema.Tuple([Schema.Natural, Schema.Natural]),
})
const decodeResult = Schema.decodeUnknownOption(Result)

const resultAlone = (row: RegisteredMatch): Partial<ArchivedMatch> =>
  Option.match(decodeResult(row.result), {
    onNone: () => ({ confidence: "low" as const }),
    onSome: ({ seriesScore, winnerTeamId }) => ({
      score: seriesScore,
      ...(winnerTeamId === row.team1.id ? { winner: 0 as const } : winnerTeamId === row.team2.id ? { winner: 1 as const } : {}),
      confidence: "medium" as const,
    }),
  })
