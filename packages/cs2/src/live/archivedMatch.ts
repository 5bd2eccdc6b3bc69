/**
 * Converts a match from the match register to the archive's format. An announced match is archived without results. A
 * live match is archived with the number of maps won. A finished match is archived completely, from the final match
 * state; if that state is missing, only the result in the register is used. The functions have no side effects.
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

/** `events` are all events of the match, or undefined if some of them have been lost. */
export const archivedMatch = (
  row: DueMatch,
  state: MatchState | undefined,
  events: ReadonlyArray<LiveEvent> | undefined,
): ArchivedMatch => {
  const announced = announcedMatch(row, state)
  // If it is uncertain which of the two teams a reported name means, the scores and the winner are omitted until an
  // operator has resolved the team names.
  const isUnresolved = isOpenResult(row.result) || (state !== undefined && state.unresolvedNames.length > 0)
  // The score is taken from the match's row in the register, not from the match state. The state may contain changes
  // that callers with delayed plans have not received yet. The row cannot, because it is archived only after the
  // longest delay has passed.
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

/**
 * Returns the name of the source under which the archive stores the match: one name for simulated matches, another for
 * matches from live feeds.
 */
const sourceOf = ({ config }: RegisteredMatch): string => (isSimulated(config) ? SIMULATOR_SOURCE : LIVE_SOURCE)

/**
 * Returns true if the row in the match register comes from the simulator, which stores there the options with which the
 * same match can be generated again.
 */
const isSimulated = Schema.is(Schema.Struct({ simulated: Schema.Record(Schema.String, Schema.Unknown) }))

/**
 * Returns the actual start of the match, or else its scheduled start. If neither is known, returns the day on which the
 * match was announced.
 */
const startOf = ({ config, createdAt, startedAt }: RegisteredMatch): Pick<ArchivedMatch, "startsAt" | "startsPrecision"> => {
  const at = startedAt === null ? Option.getOrUndefined(Option.map(decodeSchedule(config), ({ startsAt }) => startsAt)) : startedAt
  return at === undefined
    ? { startsAt: DateTime.toEpochMillis(DateTime.startOf(createdAt, "day")), startsPrecision: "day" }
    : { startsAt: DateTime.toEpochMillis(at), startsPrecision: "minute" }
}

/**
 * Decodes the scheduled start of an upcoming match from its row in the match register. Any feed may have written it
 * there.
 */
const decodeSchedule = Schema.decodeUnknownOption(Schema.Struct({ startsAt: Schema.DateTimeUtcFromString }))

const eventRef = (name: string): EventRef => ({ key: nameKey(name), name })

const isTeamId = Schema.is(TeamId)

const teamRef = ({ id, name }: MatchTeam): TeamRef => ({ key: id, name, ...(isTeamId(id) ? { teamNumber: teamNumber(id) } : {}) })

/** Returns the results of a finished match. If the match was cancelled during a map, that map is omitted. */
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
 * Returns the players of a match that has started, with their real names, if known. While the match is live, also
 * returns their teams. Some feeds do not report real names and repeat the nickname instead; such names are omitted.
 */
export const archivedPlayers = (row: DueMatch, state: MatchState | undefined): ReadonlyArray<PlayerReport> => {
  if (state === undefined || row.status === "scheduled" || state.startedAt === null) return []
  const seen = { source: LIVE_SOURCE, at: state.startedAt }
  return state.players.map(({ id, name, nickname, team }) => {
    const teamId = state.teams[team].id
    return {
      player: { ...refOfPlayer(id, nickname), ...(name === null || name === nickname ? {} : { realName: name }) },
      seen,
      // The team is reported only while the match is live. Once the match is over, the archived line-ups already show
      // which players played for which team.
      ...(row.status === "live" && isTeamId(teamId) ? { teamNumber: teamNumber(teamId) } : {}),
    }
  })
}

const refOfPlayer = (id: PlayerId, nickname: string): PlayerRef => ({ key: id, nickname, playerNumber: playerNumber(id) })

/** The fields of a stored match result (see `resultOf`) from which a match can be archived if its state is missing. */
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
