/**
 * Shape v2 of a live match: made for deltas. What the feed does not tell is left out instead of null, and everything that is many
 * is an object by id or number instead of an array, so that a JSON merge patch (RFC 7396) says every change exactly and shortly.
 * Against shape v1 it leaves out `updatedAt` (the frame's `observedAt` says it), `lastEvent` (frames carry their events) and a clock
 * that runs (`clockEndsAt` says when it reaches zero).
 */

import { PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Side } from "@matchpoint/domain/cs2/live/rules"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Timestamp } from "../timestamp.ts"
import { LiveSource, MatchStatus, occasionalFields, WinTypeName } from "./LiveMatch.ts"

const Count = Schema.Natural
const optional = Schema.optionalKey

const counts = {
  kills: Schema.Int,
  assists: Count,
  deaths: Count,
  adr: Schema.Finite,
  kast: optional(Schema.Finite),
  rating: optional(Schema.Finite),
  headshots: Count,
  flashAssists: Count,
  firstKills: Count,
  firstDeaths: Count,
  tradeKills: Count,
  clutchAttempts: Count,
  clutchesWon: Count,
} as const

export const CompactTeam = Schema.Struct({
  id: TeamId,
  name: Schema.String,
  logoUrl: optional(Schema.String),
  side: optional(Side),
  score: Count,
  mapScore: Count,
  playersAlive: Count,
  equipmentValue: optional(Count),
  money: optional(Count),
  timeoutsRemaining: optional(Count),
})

export const CompactPlayer = Schema.Struct({
  nickname: Schema.String,
  name: optional(Schema.String),
  teamId: TeamId,
  side: optional(Side),
  alive: Schema.Boolean,
  hp: Count,
  armor: optional(Count),
  helmet: optional(Schema.Boolean),
  defuseKit: optional(Schema.Boolean),
  money: optional(Count),
  equipmentValue: optional(Count),
  weapon: optional(Schema.String),
  ...counts,
})

export const CompactMap = Schema.Struct({
  id: Schema.String,
  mapName: Schema.String,
  status: Schema.Literals(["live", "completed"]),
  pickTeamId: optional(TeamId),
  team1Score: Count,
  team2Score: Count,
  team1Halves: Schema.Array(Schema.Int),
  team2Halves: Schema.Array(Schema.Int),
  winnerTeamId: optional(TeamId),
  durationRounds: Count,
  startedAt: Timestamp,
  endedAt: optional(Timestamp),
  /** Final lines of a completed map, by player id. */
  players: Schema.Record(PlayerId, Schema.Struct({ nickname: Schema.String, teamId: TeamId, ...counts })),
})

export const CompactGame = Schema.Struct({
  id: Schema.String,
  map: Schema.String,
  round: Count,
  phase: Schema.Literals(["warmup", "freezetime", "live", "over", "timeout", "ended"]),
  /** Only while the clock stands. */
  clockSeconds: optional(Count),
  /** When the running clock reaches zero. */
  clockEndsAt: optional(Timestamp),
  bomb: optional(
    Schema.Struct({
      state: Schema.Literals(["carried", "dropped", "planted", "defusing", "defused", "exploded"]),
      playerId: optional(PlayerId),
      site: optional(Schema.Literals(["A", "B"])),
      plantedAt: optional(Timestamp),
      explodesAt: optional(Timestamp),
    }),
  ),
  score: Schema.Struct({ ct: Count, t: Count }),
  sides: Schema.Struct({ ctTeamId: TeamId, tTeamId: TeamId }),
})

export const CompactRound = Schema.Struct({
  eventId: Schema.String,
  winner: Side,
  winnerTeamId: TeamId,
  winType: WinTypeName,
  ctScore: Count,
  tScore: Count,
  ctEquipmentValue: optional(Count),
  tEquipmentValue: optional(Count),
  observedAt: Timestamp,
})

export const CompactMatch = Schema.Struct({
  matchId: MatchId,
  status: MatchStatus,
  source: LiveSource,
  bestOf: Count,
  rules: Schema.Struct({
    maxRounds: Count,
    overtimeRounds: Count,
    roundSeconds: Count,
    freezeSeconds: Count,
    bombSeconds: Count,
  }),
  eventName: optional(Schema.String),
  startedAt: optional(Timestamp),
  endedAt: optional(Timestamp),
  ...occasionalFields,
  seriesScore: Schema.Struct({ team1: Count, team2: Count }),
  winnerTeamId: optional(TeamId),
  currentGame: Count,
  team1: CompactTeam,
  team2: CompactTeam,
  /** By map number. */
  maps: Schema.Record(Schema.String, CompactMap),
  game: optional(CompactGame),
  /** By player id. */
  players: Schema.Record(PlayerId, CompactPlayer),
  /** Rounds of the map in play, by round number. */
  rounds: Schema.Record(Schema.String, CompactRound),
  timeout: optional(Schema.Struct({ teamId: optional(TeamId), kind: Schema.Literals(["tactical", "technical"]), since: Timestamp })),
  unavailableFields: Schema.Array(Schema.String),
})
export type CompactMatch = typeof CompactMatch.Type

/** What happened, shape v2: the fields of v1's payload that are not null, without those the row itself has. */
export const CompactEvent = Schema.Struct({
  eventId: Schema.String,
  eventType: Schema.String,
  mapNumber: Count,
  round: Count,
  clockSeconds: optional(Count),
  playerId: optional(PlayerId),
  ctPlayers: Count,
  tPlayers: Count,
  bombSite: optional(Schema.Literals(["A", "B"])),
  observedAt: Timestamp,
  details: optional(Schema.Record(Schema.String, Schema.Unknown)),
})
export type CompactEvent = typeof CompactEvent.Type
