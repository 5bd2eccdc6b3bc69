/**
 * The public document of a live match in message format v1: every message contains the whole document after a change,
 * and the REST responses of the live section are excerpts of it. Times are ISO 8601 in UTC. `adr` is the average damage
 * per round in health points, `kast` a fraction from 0 to 1.
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { PlayerId, TeamId } from "../rules/ids.ts"
import { Side } from "../rules/live/rules.ts"

const nullable = Schema.NullOr

export const MatchStatus = Schema.Literals(["upcoming", "live", "completed", "cancelled"])
export const LiveSource = Schema.Literals(["live", "live_backup"])

/** Ways in which a round can end, spelled as in CS2 server logs. */
export const WinTypeName = Schema.Literals([
  "CTs_Win",
  "Terrorists_Win",
  "Target_Bombed",
  "Bomb_Defused",
  "Target_Saved",
  "CTs_Surrender",
  "Terrorists_Surrender",
  "Unknown",
])
export type WinTypeName = typeof WinTypeName.Type

export const LiveTeam = Schema.Struct({
  id: TeamId,
  name: Schema.String,
  logoUrl: nullable(Schema.String),
  side: nullable(Side),
  /** Number of maps that the team has won in the series. */
  score: Schema.Natural,
  /** Number of rounds that the team has won on the current map. */
  mapScore: Schema.Natural,
  playersAlive: Schema.Natural,
  equipmentValue: nullable(Schema.Natural),
  money: nullable(Schema.Natural),
  timeoutsRemaining: nullable(Schema.Natural),
})
export type LiveTeam = typeof LiveTeam.Type

/** Statistics of one player on one map, in both formats. */
export const playerCounts = {
  kills: Schema.Int,
  assists: Schema.Natural,
  deaths: Schema.Natural,
  adr: Schema.Finite,
  kast: nullable(Schema.Finite),
  rating: nullable(Schema.Finite),
  headshots: Schema.Natural,
  flashAssists: Schema.Natural,
  firstKills: Schema.Natural,
  firstDeaths: Schema.Natural,
  tradeKills: Schema.Natural,
  clutchAttempts: Schema.Natural,
  clutchesWon: Schema.Natural,
} as const

export const LivePlayer = Schema.Struct({
  id: PlayerId,
  nickname: Schema.String,
  name: nullable(Schema.String),
  teamId: TeamId,
  side: nullable(Side),
  alive: Schema.Boolean,
  hp: Schema.Natural,
  armor: nullable(Schema.Natural),
  helmet: nullable(Schema.Boolean),
  defuseKit: nullable(Schema.Boolean),
  money: nullable(Schema.Natural),
  equipmentValue: nullable(Schema.Natural),
  weapon: nullable(Schema.String),
  ...playerCounts,
})
export type LivePlayer = typeof LivePlayer.Type

export const LivePlayerLine = Schema.Struct({ id: PlayerId, nickname: Schema.String, teamId: TeamId, ...playerCounts })
export type LivePlayerLine = typeof LivePlayerLine.Type

export const LiveMap = Schema.Struct({
  id: Schema.String,
  mapNumber: Schema.Natural,
  mapName: Schema.String,
  status: Schema.Literals(["live", "completed"]),
  pickTeamId: nullable(TeamId),
  team1Score: Schema.Natural,
  team2Score: Schema.Natural,
  /**
   * Rounds that team 1 has won in each half. The list contains the two halves of regulation time, then both halves of
   * every overtime.
   */
  team1Halves: Schema.Array(Schema.Int),
  team2Halves: Schema.Array(Schema.Int),
  winnerTeamId: nullable(TeamId),
  durationRounds: Schema.Natural,
  startedAt: Timestamp,
  endedAt: nullable(Timestamp),
  /**
   * Final player statistics of a completed map. Empty while the map is being played; until then, see `players` of the
   * match.
   */
  players: Schema.Array(LivePlayerLine),
})
export type LiveMap = typeof LiveMap.Type

export const LiveBomb = Schema.Struct({
  state: Schema.Literals(["carried", "dropped", "planted", "defusing", "defused", "exploded"]),
  playerId: nullable(PlayerId),
  site: nullable(Schema.Literals(["A", "B"])),
  plantedAt: nullable(Timestamp),
  explodesAt: nullable(Timestamp),
})
export type LiveBomb = typeof LiveBomb.Type

export const LiveGame = Schema.Struct({
  id: Schema.String,
  map: Schema.String,
  round: Schema.Natural,
  phase: Schema.Literals(["warmup", "freezetime", "live", "over", "timeout", "ended"]),
  /**
   * Seconds left on the round clock at the time of the change, or `null` if the feed reports no clock. If the clock is
   * running, it reaches zero at `clockEndsAt`.
   */
  clockSeconds: nullable(Schema.Natural),
  clockEndsAt: nullable(Timestamp),
  bomb: nullable(LiveBomb),
  score: Schema.Struct({ ct: Schema.Natural, t: Schema.Natural }),
  sides: Schema.Struct({ ctTeamId: TeamId, tTeamId: TeamId }),
})
export type LiveGame = typeof LiveGame.Type

export const LiveRound = Schema.Struct({
  eventId: Schema.String,
  round: Schema.Natural,
  winner: Side,
  winnerTeamId: TeamId,
  winType: WinTypeName,
  ctScore: Schema.Natural,
  tScore: Schema.Natural,
  ctEquipmentValue: nullable(Schema.Natural),
  tEquipmentValue: nullable(Schema.Natural),
  observedAt: Timestamp,
})
export type LiveRound = typeof LiveRound.Type

export const LiveLastEvent = Schema.Struct({
  id: nullable(Schema.String),
  type: Schema.String,
  round: Schema.Natural,
  clockSeconds: nullable(Schema.Natural),
  killerPlayerId: nullable(PlayerId),
  victimPlayerId: nullable(PlayerId),
  weapon: nullable(Schema.String),
  headshot: nullable(Schema.Boolean),
  throughSmoke: nullable(Schema.Boolean),
})
export type LiveLastEvent = typeof LiveLastEvent.Type

/** Describes an outage in which all feeds of a match are silent. The last report was received at `lastReportAt`. */
export const LiveFeed = Schema.Struct({
  status: Schema.Literals(["stale", "interrupted"]),
  lastReportAt: Timestamp,
  /** Time when the server detected that all feeds were silent. */
  since: Timestamp,
})
export type LiveFeed = typeof LiveFeed.Type

/** Both message formats omit these fields if they have no value. In v1, all others without a value are null. */
export const optionalFields = {
  feed: Schema.optionalKey(LiveFeed),
  /**
   * Team names reported by the feed that match neither team. While this list is present, it is uncertain which team is
   * which.
   */
  unresolvedTeamNames: Schema.optionalKey(Schema.Array(Schema.String)),
} as const

export const LiveMatch = Schema.Struct({
  matchId: MatchId,
  status: MatchStatus,
  source: LiveSource,
  bestOf: Schema.Natural,
  rules: Schema.Struct({
    maxRounds: Schema.Natural,
    overtimeRounds: Schema.Natural,
    roundSeconds: Schema.Natural,
    freezeSeconds: Schema.Natural,
    bombSeconds: Schema.Natural,
  }),
  eventName: nullable(Schema.String),
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  ...optionalFields,
  updatedAt: Timestamp,
  seriesScore: Schema.Struct({ team1: Schema.Natural, team2: Schema.Natural }),
  winnerTeamId: nullable(TeamId),
  /** Number of the current map, or of the last one played; 0 before the first map. */
  currentGame: Schema.Natural,
  teams: Schema.Tuple([LiveTeam, LiveTeam]),
  maps: Schema.Array(LiveMap),
  game: nullable(LiveGame),
  players: Schema.Array(LivePlayer),
  /** Rounds of the current map. */
  rounds: Schema.Array(LiveRound),
  timeout: nullable(Schema.Struct({ teamId: nullable(TeamId), kind: Schema.Literals(["tactical", "technical"]), since: Timestamp })),
  lastEvent: nullable(LiveLastEvent),
  /** Fields that are null because the feed does not report them, e.g. `game.clockSeconds`. */
  unavailableFields: Schema.Array(Schema.String),
})
export type LiveMatch = typeof LiveMatch.Type
