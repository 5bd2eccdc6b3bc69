/**
 * Converts a match from the match register to the archive's format. An announced match has no results, a live match the
 * number of maps won. A finished match is complete, from the final match state or, if that is missing, only with the
 * result in the register.
 */
import { matchNumber } from "@matchpoint/domain/ids"
import { isOpenResult, type MatchTeam, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { DateTime, Option, Schema } from "effect"
import type { DueMatch } from "../archive/upkeep/ArchiveBacklog.ts"
import type { PlayerReport } from "../archive/writer/reports.ts"
import type { LiveEvent } from "../contract/LiveEvent.ts"
import type { ArchivedMatch, EventRef, PlayerRef, TeamRef } from "../rules/archive/ArchivedMatch.ts"
import { nameKey } from "../rules/archive/names.ts"
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "../rules/archive/sources.ts"
import { type PlayerId, playerNumber, TeamId, teamNumber } from "../rules/ids.ts"
import type { TeamIndex } from "../rules/live/rules.ts"
import type { MatchState } from "../rules/live/state.ts"
import { archivedMap, hasPlayed } from "./archivedMap.ts"

/** `events` are all events of the match, or undefined if some of them are lost. */
export const archivedMatch = (
  row: DueMatch,
  state: MatchState | undefined,
  events: ReadonlyArray<LiveEvent> | undefined,
): ArchivedMatch => {
  const announced = announcedMatch(row, state)
  // While it is uncertain which team a reported name means, scores and winner are omitted.
  const isUnresolved = isOpenResult(row.result) || (state !== undefined && state.unresolvedNames.length > 0)
  // The score comes from the register, not from the match state, which may contain changes that callers with delayed
  // plans have not received yet. The register's row is archived only after the longest delay has passed.
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

const sourceOf = ({ config }: RegisteredMatch): string => (isSimulated(config) ? SIMULATOR_SOURCE : LIVE_SOURCE)

/** The simulator stores the options with which the same match can be generated again. */
const isSimulated = Schema.is(Schema.Struct({ simulated: Schema.Record(Schema.String, Schema.Unknown) }))

/** The actual or else the scheduled start. If neither is known, the day on which the match was announced. */
const startOf = ({ config, createdAt, startedAt }: RegisteredMatch): Pick<ArchivedMatch, "startsAt" | "startsPrecision"> => {
  const at = startedAt === null ? Option.getOrUndefined(Option.map(decodeSchedule(config), ({ startsAt }) => startsAt)) : startedAt
  return at === undefined
    ? { startsAt: DateTime.toEpochMillis(DateTime.startOf(createdAt, "day")), startsPrecision: "day" }
    : { startsAt: DateTime.toEpochMillis(at), startsPrecision: "minute" }
}

/** Decoded, because any feed may have written it into the register. */
const decodeSchedule = Schema.decodeUnknownOption(Schema.Struct({ startsAt: Schema.DateTimeUtcFromString }))

const eventRef = (name: string): EventRef => ({ key: nameKey(name), name })

const isTeamId = Schema.is(TeamId)

const teamRef = ({ id, name }: MatchTeam): TeamRef => ({ key: id, name, ...(isTeamId(id) ? { teamNumber: teamNumber(id) } : {}) })

/** If the match was cancelled during a map, that map is omitted. */
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
 * The players of a started match, with their teams while it is live. Some feeds repeat the nickname as the real name;
 * such names are omitted.
 */
export const archivedPlayers = (row: DueMatch, state: MatchState | undefined): ReadonlyArray<PlayerReport> => {
  if (state === undefined || row.status === "scheduled" || state.startedAt === null) return []
  const seen = { source: LIVE_SOURCE, at: state.startedAt }
  return state.players.map(({ id, name, nickname, team }) => {
    const teamId = state.teams[team].id
    return {
      player: { ...refOfPlayer(id, nickname), ...(name === null || name === nickname ? {} : { realName: name }) },
      seen,
      // Once the match is over, the archived lineups show which players played for which team.
      ...(row.status === "live" && isTeamId(teamId) ? { teamNumber: teamNumber(teamId) } : {}),
    }
  })
}

const refOfPlayer = (id: PlayerId, nickname: string): PlayerRef => ({ key: id, nickname, playerNumber: playerNumber(id) })

/** Enough of a stored match result (see `resultOf`) to archive a match whose state is missing. */
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
