/** Models of the CS2 live section in response format v1, with the fields of section 2 of the API specification. */

import { MatchId, PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Side } from "@matchpoint/domain/cs2/live/rules"
import { Plan } from "@matchpoint/domain/plans"
import { Schema } from "effect"
import { LiveEventType } from "../../cs2/LiveEvent.ts"
import { LiveBomb, LiveLastEvent, LiveSource, MatchStatus, optionalFields, WinTypeName } from "../../cs2/LiveMatch.ts"
import { Cursor } from "../../stream/cursors.ts"
import { Shape } from "../../stream/frames.ts"
import { Timestamp } from "../../timestamp.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural

/**
 * Level of detail of the data. `realtime` means details down to the individual round. `score_only` means that the
 * backup feed is in use, which reports only the score of the series and of the current map.
 */
export const Coverage = Schema.Literals(["realtime", "score_only"])
export type Coverage = typeof Coverage.Type

/** Reason why data is missing. The value `being_recomputed` never occurs in the live section. */
export const UnavailableReason = Schema.Literals(["not_yet_indexed", "being_recomputed", "backup_feed"])
export type UnavailableReason = typeof UnavailableReason.Type

/** Whether data about rounds and players is available, and the reason if it is not. */
const availability = { dataAvailable: Schema.Boolean, unavailableReason: nullable(UnavailableReason) } as const

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

/**
 * Maximum time since the feed last confirmed the player statistics of a live match, in milliseconds. Statistics that
 * were confirmed longer ago are marked as not current.
 */
export const CONFIRMATION_MAX_AGE_MS = 45_000

/** Short description of a team, embedded in rows about matches. */
export const TeamSummary = Schema.Struct({
  id: TeamId,
  name: Schema.String,
  slug: nullable(Schema.String),
  teamTag: nullable(Schema.String),
  logoUrl: nullable(Schema.String),
  countryName: nullable(Schema.String),
  countryCode: nullable(Schema.String),
  region: nullable(Schema.String),
  worldRanking: nullable(Schema.Int),
  lastSyncedAt: nullable(Timestamp),
  lastVerified: nullable(Timestamp),
  confidence: nullable(Schema.String),
  alternateLogoUrl: nullable(Schema.String),
  darkUiLogoUrl: nullable(Schema.String),
}).annotate({ identifier: "LiveTeam" })
export type TeamSummary = typeof TeamSummary.Type

export const PlayerStatRow = Schema.Struct({
  entityType: Schema.Literal("cs2_player_stat"),
  id: Schema.String,
  mapId: Schema.String,
  matchId: MatchId,
  playerId: PlayerId,
  playerName: Schema.String,
  teamId: TeamId,
  teamName: Schema.String,
  kills: Schema.Int,
  deaths: Count,
  assists: Count,
  plusMinus: Schema.Int,
  headshots: Count,
  firstKills: Count,
  firstDeaths: Count,
  openingKills: Count,
  openingDeaths: Count,
  adr: Schema.Finite,
  kast: nullable(Schema.Finite),
  headshotPercent: Schema.Finite,
  rating: nullable(Schema.Finite),
  ratingVersion: Schema.String,
  lastSyncedAt: Timestamp,
  mapNameCanonical: nullable(Schema.String),
  imageUrl: nullable(Schema.String),
  mapImageUrl: nullable(Schema.String),
  coverImageUrl: nullable(Schema.String),
  player: Schema.Struct({
    id: PlayerId,
    nickname: Schema.String,
    slug: nullable(Schema.String),
    realName: nullable(Schema.String),
    imageUrl: nullable(Schema.String),
    countryName: nullable(Schema.String),
    countryCode: nullable(Schema.String),
    age: nullable(Schema.Int),
    rating: nullable(Schema.Finite),
    mapsPlayed: nullable(Count),
    careerStats: nullable(Schema.Struct({ rating: nullable(Schema.Finite), lastKnownRating: nullable(Schema.Finite) })),
    currentTeamId: nullable(TeamId),
    status: nullable(Schema.String),
    primaryRole: nullable(Schema.String),
    roleConfidence: nullable(Schema.String),
    statusUpdatedAt: nullable(Timestamp),
    lastSyncedAt: nullable(Timestamp),
    lastVerified: nullable(Timestamp),
  }),
  team: TeamSummary,
  ratingProfile: Schema.Struct({
    rating: nullable(Schema.Finite),
    ratingVersion: Schema.String,
    components: Schema.Struct({
      killsPerMap: Schema.Finite,
      adr: Schema.Finite,
      kast: nullable(Schema.Finite),
      killsPlusAssistsPerDeath: Schema.Finite,
    }),
    openingDuels: Schema.Struct({ openingKills: Count, openingDeaths: Count, successRate: nullable(Schema.Finite) }),
    formula: Schema.String,
  }),
  availableSubresources: Schema.Array(Schema.String),
}).annotate({ identifier: "LivePlayerStatsRow" })
export type PlayerStatRow = typeof PlayerStatRow.Type

const Confidence = Schema.Literals(["high", "medium", "low"])

/** Bomb statistics of a team. `clutchDefuses` is the number of defuses by the last defender alive. */
const TeamObjectives = Schema.Struct({ teamId: TeamId, plants: Count, defuses: Count, explosions: Count, clutchDefuses: Count }).annotate({
  identifier: "LiveTeamObjectives",
})

export const MapOfMatch = Schema.Struct({
  entityType: Schema.Literal("cs2_map"),
  id: Schema.String,
  matchId: MatchId,
  mapNumber: Count,
  mapName: Schema.String,
  status: Schema.Literals(["live", "completed"]),
  team1Score: Count,
  team2Score: Count,
  team1Halves: nullable(Schema.Array(Schema.Int)),
  team2Halves: nullable(Schema.Array(Schema.Int)),
  winnerTeamId: nullable(TeamId),
  durationRounds: Count,
  lastSyncedAt: Timestamp,
  playerStats: Schema.Array(PlayerStatRow),
  bombEvents: Schema.Array(LiveBombEvent),
  bombStats: Schema.Array(TeamObjectives),
  weaponAggregates: Schema.Array(
    Schema.Struct({ weapon: Schema.String, weaponIconUrl: Schema.String, kills: Count, headshots: Count, headshotPercent: Schema.Finite }),
  ),
  mapImageUrl: nullable(Schema.String),
  pickTeamId: nullable(TeamId),
  objectiveStats: Schema.Struct({
    ...availability,
    confidence: Schema.Struct({ plants: Confidence, defuses: Confidence, explosions: Confidence, clutchDefuse: Confidence }),
    teamStats: Schema.Array(TeamObjectives),
    roundEvents: Schema.Array(
      Schema.Struct({ round: Count, eventType: Schema.String, teamId: nullable(TeamId), bombSite: nullable(Schema.Literals(["A", "B"])) }),
    ),
  }),
  availableSubresources: Schema.Array(Schema.String),
  unavailableSubresources: Schema.Array(Schema.String),
  unavailableFields: Schema.Record(Schema.String, Schema.Struct({ reason: Schema.String })),
  dataQuality: Schema.Literals(["complete", "partial", "unavailable"]),
}).annotate({ identifier: "LiveMap" })
export type MapOfMatch = typeof MapOfMatch.Type

/** A row of the list of live matches. */
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

const Subscribe = Schema.Struct({
  action: Schema.Literal("subscribe"),
  rooms: Schema.Array(Schema.String),
  resume: Schema.optionalKey(Schema.Record(Schema.String, Cursor)),
  shape: Schema.optionalKey(Shape),
}).annotate({ identifier: "Subscribe" })

export const LiveTransport = Schema.Struct({
  entityType: Schema.Literal("cs2_live_transport"),
  matchId: MatchId,
  transports: Schema.Struct({
    websocket: Schema.Struct({
      url: Schema.String,
      auth: Schema.String,
      subscribe: Subscribe,
      allLiveMatches: Subscribe,
      /**
       * Example of the message that a client sends to resume the stream after its connection was lost. It contains the
       * current cursor of the match.
       */
      resume: Subscribe,
      /** All message types that the server sends, that is, all values of the field `type`. */
      messages: Schema.Array(Schema.String),
      /** Plans that include the WebSocket. */
      plans: Schema.Array(Plan),
      /** Plans for which the WebSocket is available as an add-on. */
      addOnOf: Schema.Array(Plan),
      delay: Schema.String,
    }),
    sse: Schema.Struct({
      url: Schema.String,
      note: Schema.String,
      billing: Schema.String,
      delay: Schema.String,
      /** Names of the SSE events. */
      events: Schema.Array(Schema.String),
    }),
    replay: Schema.Struct({ url: Schema.String, room: Schema.String, note: Schema.String }),
  }),
  v2Shape: Schema.String,
}).annotate({ identifier: "LiveTransport" })
export type LiveTransport = typeof LiveTransport.Type
