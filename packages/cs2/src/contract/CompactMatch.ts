/**
 * Match document of a live match in message format v2, which is designed for deltas. Fields without a value are left
 * out. Lists are objects keyed by id or number, so that a JSON merge patch (RFC 7396) describes every change exactly
 * and briefly. Unlike format v1, it has no `updatedAt` (use the `observedAt` of the message), no `lastEvent` (the
 * messages contain their events) and no running clock (`clockEndsAt` is when the clock reaches zero).
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { PlayerId, TeamId } from "../rules/ids.ts"
import { Side } from "../rules/live/rules.ts"
import { LiveSource, MatchStatus, optionalFields, playerCounts, WinTypeName } from "./LiveMatch.ts"

const Count = Schema.Natural
const optional = Schema.optionalKey

const counts = { ...playerCounts, kast: optional(Schema.Finite), rating: optional(Schema.Finite) } as const

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
  /** Final player statistics of a completed map, keyed by player id. */
  players: Schema.Record(PlayerId, Schema.Struct({ nickname: Schema.String, teamId: TeamId, ...counts })),
})

export const CompactGame = Schema.Struct({
  id: Schema.String,
  map: Schema.String,
  round: Count,
  phase: Schema.Literals(["warmup", "freezetime", "live", "over", "timeout", "ended"]),
  /**
   * Seconds left on the round clock. Present only while the clock is stopped; for a running clock, see `clockEndsAt`.
   */
  clockSeconds: optional(Count),
  /** Time when the running clock reaches zero. */
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
  ...optionalFields,
  seriesScore: Schema.Struct({ team1: Count, team2: Count }),
  winnerTeamId: optional(TeamId),
  currentGame: Count,
  team1: CompactTeam,
  team2: CompactTeam,
  /** Maps of the match, keyed by map number. */
  maps: Schema.Record(Schema.String, CompactMap),
  game: optional(CompactGame),
  /** Players of the match, keyed by player id. */
  players: Schema.Record(PlayerId, CompactPlayer),
  /** Rounds of the current map, keyed by round number. */
  rounds: Schema.Record(Schema.String, CompactRound),
  timeout: optional(Schema.Struct({ teamId: optional(TeamId), kind: Schema.Literals(["tactical", "technical"]), since: Timestamp })),
  unavailableFields: Schema.Array(Schema.String),
})
export type CompactMatch = typeof CompactMatch.Type

/** `details` contains the fields of the v1 `payload` that are neither null nor fields of the event itself. */
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
