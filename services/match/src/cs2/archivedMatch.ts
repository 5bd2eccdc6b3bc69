/**
 * A match of the register as the archive is told of it. Announced matches are told without anything that is played, live ones with the
 * maps won; one that is over is told whole, from the state that the fold ended with, or from the register alone where there is no such state. Pure.
 */

import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { ArchivedMatch, EventRef, PlayerRef, TeamRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { nameKey } from "@matchpoint/domain/cs2/archive/names"
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "@matchpoint/domain/cs2/archive/sources"
import { type PlayerId, playerNumber, TeamId, teamNumber } from "@matchpoint/domain/cs2/ids"
import type { TeamIndex } from "@matchpoint/domain/cs2/live/rules"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"
import { matchNumber } from "@matchpoint/domain/ids"
import type { ToldPlayer } from "@matchpoint/store/cs2/ArchiveWriter"
import type { DueMatch } from "@matchpoint/store/cs2/upkeep/ArchiveBacklog"
import { isOpenResult, type MatchTeam, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { DateTime, Option, Schema } from "effect"
import { archivedMap, hasPlayed } from "./archivedMap.ts"

/** `events`: all of the match, or undefined where some are lost. */
export const archivedMatch = (
  row: DueMatch,
  state: MatchState | undefined,
  events: ReadonlyArray<LiveEvent> | undefined,
): ArchivedMatch => {
  const announced = announcedMatch(row, state)
  // Which team is which is not known: what either has won is not told until an operator has said it.
  const isUnresolved = isOpenResult(row.result) || (state !== undefined && state.unresolvedNames.length > 0)
  // The state may be ahead of what everybody has heard; the row is not.
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

/** The archive keeps it as the source of everything in the match. */
const sourceOf = ({ config }: RegisteredMatch): string => (isSimulated(config) ? SIMULATOR_SOURCE : LIVE_SOURCE)

/** The simulator says so in the register, beside how it makes the match again. */
const isSimulated = Schema.is(Schema.Struct({ simulated: Schema.Record(Schema.String, Schema.Unknown) }))

/** When it began, or is to begin; of a match that nobody has told the time of, the day on which it was announced. */
const startOf = ({ config, createdAt, startedAt }: RegisteredMatch): Pick<ArchivedMatch, "startsAt" | "startsPrecision"> => {
  const at = startedAt === null ? Option.getOrUndefined(Option.map(decodeSchedule(config), ({ startsAt }) => startsAt)) : startedAt
  return at === undefined
    ? { startsAt: DateTime.toEpochMillis(DateTime.startOf(createdAt, "day")), startsPrecision: "day" }
    : { startsAt: DateTime.toEpochMillis(at), startsPrecision: "minute" }
}

/** What any feed may write into the register about a match to come. */
const decodeSchedule = Schema.decodeUnknownOption(Schema.Struct({ startsAt: Schema.DateTimeUtcFromString }))

const eventRef = (name: string): EventRef => ({ key: nameKey(name), name })

const isTeamId = Schema.is(TeamId)

const teamRef = ({ id, name }: MatchTeam): TeamRef => ({ key: id, name, ...(isTeamId(id) ? { teamNumber: teamNumber(id) } : {}) })

/** A map that was not played to its end, because the match was called off, is not told. */
const wholeMatch = (state: MatchState, events: ReadonlyArray<LiveEvent> | undefined): Partial<ArchivedMatch> => {
  const refs = new Map(state.players.map(({ id, nickname }) => [id as string, refOfPlayer(id, nickname)]))
  const maps = state.maps.filter(({ status }) => status === "completed")
  const played = new Set(maps.flatMap(({ lines }) => lines.filter(hasPlayed).map(({ playerId }) => playerId)))
  const lineup = (team: TeamIndex) =>
    state.players.filter((one) => one.team === team && played.has(one.id)).map((one) => refOfPlayer(one.id, one.nickname))
  const isForfeit = state.endReason === "forfeit"
  return {
    // A match given up before its first map has a winner and no score.
    ...(isForfeit && maps.length === 0 ? {} : { score: state.seriesScore }),
    ...(state.winner === null || state.winner === "draw" ? {} : { winner: state.winner }),
    isForfeit,
    lineups: [lineup(0), lineup(1)],
    games: maps.map((map) => archivedMap(state, map, events, (player) => (typeof player === "string" ? refs.get(player) : undefined))),
    confidence: maps.every(({ rounds, roundsPlayed }) => rounds.length === roundsPlayed) ? "high" : "medium",
  }
}

/**
 * The players of a match that has begun, as far as the feed knows more of them than their handle, with the team they play for. A feed that
 * has no names gives the handle again.
 */
export const toldPlayers = (row: DueMatch, state: MatchState | undefined): ReadonlyArray<ToldPlayer> => {
  if (state === undefined || row.status === "scheduled" || state.startedAt === null) return []
  const seen = { source: LIVE_SOURCE, at: state.startedAt }
  return state.players.map(({ id, name, nickname, team }) => {
    const teamId = state.teams[team].id
    return {
      player: { ...refOfPlayer(id, nickname), ...(name === null || name === nickname ? {} : { realName: name }) },
      seen,
      // Whoever played is in the line-up of the match once it is over.
      ...(row.status === "live" && isTeamId(teamId) ? { teamNumber: teamNumber(teamId) } : {}),
    }
  })
}

const refOfPlayer = (id: PlayerId, nickname: string): PlayerRef => ({ key: id, nickname, playerNumber: playerNumber(id) })

/** As `resultOf` writes it, so far as a match without its state can be told. */
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
