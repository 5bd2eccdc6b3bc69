/** Models of the CS2 live section in response format v1, with the fields of section 2 of the API specification. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { MatchId, PlayerId, TeamId } from "../../rules/ids.ts"
import { Side } from "../../rules/live/rules.ts"
import { LiveEventType } from "../LiveEvent.ts"
import { LiveBomb, LiveLastEvent, LiveSource, MatchStatus, optionalFields, WinTypeName } from "../LiveMatch.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural

/** `realtime`: details down to the round. `score_only`: the backup feed, with only the scores of series and current map. */
export const Coverage = Schema.Literals(["realtime", "score_only"])
export type Coverage = typeof Coverage.Type

/** Reason why data is missing. The value `being_recomputed` never occurs in the live section. */
export const UnavailableReason = Schema.Literals(["not_yet_indexed", "being_recomputed", "backup_feed"])
export type UnavailableReason = typeof UnavailableReason.Type

/** Whether data about rounds and players is available, and the reason if it is not. */
export const availability = { dataAvailable: Schema.Boolean, unavailableReason: nullable(UnavailableReason) } as const

/** Paths of the fields that are null because no feed reports them, without array indexes, e.g. `players.money`. */
const unavailableFields = Schema.Array(Schema.String)

export const Scoreboard = Schema.Struct({
  matchId: MatchId,
  status: MatchStatus,
  bestOf: Count,
  currentGame: Count,
  seriesScore: Schema.Struct({ teamA: Count, teamB: Count }),
  game: nullable(
    Schema.Struct({
      id: Schema.String,
      map: Schema.String,
      round: Count,
      phase: Schema.String,
      clockSeconds: nullable(Count),
      bomb: nullable(LiveBomb),
      score: Schema.Struct({ ct: Count, t: Count }),
      sides: Schema.Struct({ ctTeamId: TeamId, tTeamId: TeamId }),
    }),
  ),
  teams: Schema.Array(
    Schema.Struct({
      id: TeamId,
      name: Schema.String,
      side: nullable(Side),
      score: Count,
      mapScore: Count,
      playersAlive: Count,
      equipmentValue: nullable(Count),
      money: nullable(Count),
      timeoutsRemaining: nullable(Count),
    }),
  ),
  players: Schema.Array(
    Schema.Struct({
      id: PlayerId,
      nickname: Schema.String,
      teamId: TeamId,
      side: nullable(Side),
      alive: Schema.Boolean,
      hp: Count,
      armor: nullable(Count),
      helmet: nullable(Schema.Boolean),
      money: nullable(Count),
      /** Weapon that the player holds. Empty if the player holds no weapon or no feed reports weapons. */
      weapon: Schema.String,
      kills: Schema.Int,
      assists: Count,
      deaths: Count,
      adr: Schema.Finite,
      kast: nullable(Schema.Finite),
      rating: nullable(Schema.Finite),
    }),
  ),
  lastEvent: nullable(LiveLastEvent),
  meta: Schema.Struct({
    updatedAt: Timestamp,
    latencyMs: nullable(Count),
    coverage: Coverage,
    source: LiveSource,
    ...availability,
    unavailableFields,
  }),
}).annotate({ identifier: "Scoreboard" })
export type Scoreboard = typeof Scoreboard.Type

/** A player in the responses of the endpoints `state`, `snapshots` and `player-stats`. */
export const StatePlayer = Schema.Struct({
  playerId: PlayerId,
  name: nullable(Schema.String),
  nick: Schema.String,
  side: nullable(Side),
  alive: Schema.Boolean,
  hp: Count,
  money: nullable(Count),
  kills: Schema.Int,
  assists: Count,
  deaths: Count,
  adr: Schema.Finite,
  weapon: nullable(Schema.String),
  weaponIconUrl: nullable(Schema.String),
  hasDefuseKit: nullable(Schema.Boolean),
  kevlar: nullable(Schema.Boolean),
  helmet: nullable(Schema.Boolean),
}).annotate({ identifier: "LivePlayer" })
export type StatePlayer = typeof StatePlayer.Type

export const LiveBombEvent = Schema.Struct({
  eventId: Schema.String,
  eventType: Schema.String,
  playerName: nullable(Schema.String),
  playerNick: nullable(Schema.String),
  ctPlayers: Count,
  tPlayers: Count,
  bombSite: nullable(Schema.Literals(["A", "B"])),
  observedAt: Timestamp,
}).annotate({ identifier: "LiveBombEvent" })
export type LiveBombEvent = typeof LiveBombEvent.Type

export const RoundEndEvent = Schema.Struct({
  eventId: Schema.String,
  winnerSide: Schema.Literals(["CT", "TERRORIST"]),
  winnerSideIcon: Schema.Literals(["ct", "t"]),
  winnerSideIconUrl: nullable(Schema.String),
  winType: WinTypeName,
  winKind: Schema.Literals(["bomb", "defuse", "elimination", "time", "surrender", "unknown"]),
  winKindIconUrl: nullable(Schema.String),
  terroristScore: Count,
  counterTerroristScore: Count,
  observedAt: Timestamp,
}).annotate({ identifier: "LiveRoundEnd" })
export type RoundEndEvent = typeof RoundEndEvent.Type

const sixFields = <P extends "team1" | "team2">(prefix: P) =>
  ({
    [`${prefix}Id`]: TeamId,
    [`${prefix}Name`]: Schema.String,
    [`${prefix}LogoUrl`]: nullable(Schema.String),
    [`${prefix}AlternateLogoUrl`]: nullable(Schema.String),
    [`${prefix}DarkUiLogoUrl`]: nullable(Schema.String),
  }) as {
    readonly [K in `${P}Id`]: typeof TeamId
  } & { readonly [K in `${P}Name`]: typeof Schema.String } & {
    readonly [K in `${P}LogoUrl` | `${P}AlternateLogoUrl` | `${P}DarkUiLogoUrl`]: Schema.NullOr<typeof Schema.String>
  }

const inPlay = {
  currentMap: nullable(Schema.String),
  currentRound: Count,
  roundTimeSeconds: nullable(Count),
  roundTimeLeft: nullable(Count),
  currentScoreCt: Count,
  currentScoreT: Count,
  bombPlanted: Schema.Boolean,
  players: Schema.Array(StatePlayer),
  liveBombEvents: Schema.Array(LiveBombEvent),
  roundEndEvents: Schema.Array(RoundEndEvent),
  coverage: Coverage,
  ...availability,
  unavailableFields,
} as const

const seriesScore = Schema.Struct({ team1: Count, team2: Count })

export const LiveState = Schema.Struct({
  entityType: Schema.Literal("cs2_live_state"),
  matchId: MatchId,
  status: MatchStatus,
  source: LiveSource,
  teams: Schema.Struct({ ...sixFields("team1"), ...sixFields("team2") }),
  score: seriesScore,
  ...inPlay,
}).annotate({ identifier: "LiveState" })
export type LiveState = typeof LiveState.Type

export const LiveSnapshotRow = Schema.Struct({
  entityType: Schema.Literal("cs2_live_snapshot"),
  snapshotId: Schema.String,
  matchId: MatchId,
  status: MatchStatus,
  source: LiveSource,
  capturedAt: Timestamp,
  teams: Schema.Struct({
    team1Name: Schema.String,
    team2Name: Schema.String,
    terroristTeamName: nullable(Schema.String),
    counterTerroristTeamName: nullable(Schema.String),
  }),
  score: seriesScore,
  ...inPlay,
}).annotate({ identifier: "LiveSnapshot" })
export type LiveSnapshotRow = typeof LiveSnapshotRow.Type

const roundResult = {
  winner: Schema.Literals(["CT", "TERRORIST"]),
  winType: WinTypeName,
  terroristScore: Count,
  counterTerroristScore: Count,
} as const

export const LiveRounds = Schema.Struct({
  entityType: Schema.Literal("cs2_live_rounds"),
  matchId: MatchId,
  currentRound: Count,
  source: LiveSource,
  ...availability,
  rounds: Schema.Array(
    Schema.Struct({
      eventId: Schema.String,
      eventType: Schema.Literal("RoundEnd"),
      round: Count,
      ...roundResult,
      payload: Schema.Struct(roundResult),
      observedAt: Timestamp,
    }),
  ),
}).annotate({ identifier: "LiveRounds" })
export type LiveRounds = typeof LiveRounds.Type

export const LiveEvents = Schema.Struct({
  entityType: Schema.Literal("cs2_live_events"),
  matchId: MatchId,
  source: LiveSource,
  ...availability,
  events: Schema.Array(
    Schema.Struct({
      eventId: Schema.String,
      eventType: LiveEventType,
      mapNumber: Count,
      round: Count,
      clockSeconds: nullable(Count),
      playerId: nullable(PlayerId),
      playerName: nullable(Schema.String),
      playerNick: nullable(Schema.String),
      ctPlayers: Count,
      tPlayers: Count,
      bombSite: nullable(Schema.Literals(["A", "B"])),
      payload: Schema.Record(Schema.String, Schema.Unknown),
      source: LiveSource,
      observedAt: Timestamp,
    }),
  ),
}).annotate({ identifier: "LiveEvents" })
export type LiveEvents = typeof LiveEvents.Type

export const LivePlayerStats = Schema.Struct({
  entityType: Schema.Literal("cs2_live_player_stats"),
  matchId: MatchId,
  status: MatchStatus,
  /**
   * True if the match is in progress and the feed has confirmed the statistics within the last `confirmationMaxAgeMs`
   * milliseconds. Callers whose plan delays the data see older statistics; the delay does not count towards that age.
   */
  isCurrent: Schema.Boolean,
  ...availability,
  source: LiveSource,
  /** Time when the newest change of the match was published. */
  capturedAt: Timestamp,
  /** Time when the service received the last report about the match. */
  lastVerified: Timestamp,
  players: Schema.Array(StatePlayer),
  unavailableFields,
}).annotate({ identifier: "LivePlayerStats" })
export type LivePlayerStats = typeof LivePlayerStats.Type

/** Player statistics of a live match that the feed confirmed longer ago are marked as not current. */
export const CONFIRMATION_MAX_AGE_MS = 45_000

export const LiveListItem = Schema.Struct({
  entityType: Schema.Literal("cs2_live_match"),
  id: MatchId,
  matchId: MatchId,
  status: MatchStatus,
  source: LiveSource,
  eventName: nullable(Schema.String),
  bestOf: Count,
  team1Id: TeamId,
  team1Name: Schema.String,
  team2Id: TeamId,
  team2Name: Schema.String,
  /** Number of maps that each team has won. */
  score: seriesScore,
  /** Number of rounds that each team has won on the current map. */
  currentMapScore: nullable(seriesScore),
  currentMap: nullable(Schema.String),
  currentGame: Count,
  currentRound: Count,
  startedAt: nullable(Timestamp),
  ...optionalFields,
  updatedAt: Timestamp,
  coverage: Coverage,
  unavailableFields,
}).annotate({ identifier: "LiveMatch" })
export type LiveListItem = typeof LiveListItem.Type
