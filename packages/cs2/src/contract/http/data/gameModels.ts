/**
 * Models of the maps of archived matches, with the fields of section 2 of the API specification. Values that the source
 * did not report are null. Comments mark fields that the API specification does not define.
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { GameId, MatchId, PlayerId, TeamId } from "../../../rules/ids.ts"
import { Side } from "../../../rules/live/rules.ts"
import { RATING_FORMULA, RATING_VERSION } from "../../../rules/rating.ts"
import { availability, Confidence, DataQuality, MatchStatus, Player, Share, Team, UnavailableReason } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Site = nullable(Schema.Literals(["A", "B"]))

export const ResultType = Schema.Literals(["played", "forfeit", "unplayed"])

export const RatingProfile = Schema.Struct({
  rating: nullable(Schema.Finite),
  ratingVersion: Schema.Literal(RATING_VERSION),
  components: Schema.Struct({
    killsPerMap: Schema.Finite,
    adr: nullable(Schema.Finite),
    kast: nullable(Share),
    killsPlusAssistsPerDeath: nullable(Schema.Finite),
  }),
  openingDuels: Schema.Struct({ openingKills: nullable(Count), openingDeaths: nullable(Count), successRate: nullable(Share) }),
  formula: Schema.Literal(RATING_FORMULA),
}).annotate({ identifier: "GameRatingProfile" })
export type RatingProfile = typeof RatingProfile.Type

/** Statistics of one player on one map. */
export const GamePlayerStats = Schema.Struct({
  entityType: Schema.Literal("cs2_player_stat"),
  id: Text,
  mapId: GameId,
  matchId: MatchId,
  playerId: PlayerId,
  playerName: Text,
  teamId: TeamId,
  teamName: Text,
  kills: Schema.Int,
  deaths: Count,
  assists: nullable(Count),
  plusMinus: Schema.Int,
  headshots: nullable(Count),
  firstKills: nullable(Count),
  firstDeaths: nullable(Count),
  openingKills: nullable(Count),
  openingDeaths: nullable(Count),
  adr: nullable(Schema.Finite),
  kast: nullable(Share),
  headshotPercent: nullable(Share),
  rating: nullable(Schema.Finite),
  ratingVersion: Schema.Literal(RATING_VERSION),
  lastSyncedAt: Timestamp,
  mapNameCanonical: nullable(Text),
  imageUrl: nullable(Text),
  mapImageUrl: nullable(Text),
  coverImageUrl: nullable(Text),
  player: Player,
  team: Team,
  ratingProfile: RatingProfile,
  availableSubresources: Schema.Array(Text),
  /** The API specification does not define the fields below. */
  rounds: Count,
  flashAssists: nullable(Count),
  utilityDamage: nullable(Count),
  clutchAttempts: nullable(Count),
  clutchesWon: nullable(Count),
}).annotate({ identifier: "GamePlayerStats" })
export type GamePlayerStats = typeof GamePlayerStats.Type

export const GameScore = Schema.Struct({
  entityType: Schema.Literal("cs2_game"),
  id: GameId,
  matchId: MatchId,
  mapNumber: Count,
  map: Text,
  status: MatchStatus,
  resultType: ResultType,
  team1Score: nullable(Count),
  team2Score: nullable(Count),
  pickTeamId: nullable(TeamId),
  winnerTeamId: nullable(TeamId),
  durationRounds: nullable(Count),
  mapImageUrl: nullable(Text),
  playerStatsAvailable: Schema.Boolean,
  roundsAvailable: Schema.Boolean,
  eventsAvailable: Schema.Boolean,
}).annotate({ identifier: "GameScore" })
export type GameScore = typeof GameScore.Type

/** A bomb plant, defuse or explosion. */
export const BombEvent = Schema.Struct({
  eventId: Text,
  eventType: Text,
  playerName: nullable(Text),
  playerNick: nullable(Text),
  ctPlayers: nullable(Count),
  tPlayers: nullable(Count),
  bombSite: Site,
  observedAt: nullable(Timestamp),
}).annotate({ identifier: "BombEvent" })

/** `clutchDefuses`: defuses by the last defender alive, or null if no source reported them. */
export const TeamObjectives = Schema.Struct({
  teamId: TeamId,
  plants: Count,
  defuses: Count,
  explosions: Count,
  clutchDefuses: nullable(Count),
}).annotate({ identifier: "TeamObjectives" })

export const ObjectiveStats = Schema.Struct({
  ...availability,
  confidence: Schema.Struct({ plants: Confidence, defuses: Confidence, explosions: Confidence, clutchDefuse: Confidence }),
  teamStats: Schema.Array(TeamObjectives),
  roundEvents: Schema.Array(Schema.Struct({ round: nullable(Count), eventType: Text, teamId: nullable(TeamId), bombSite: Site })),
}).annotate({ identifier: "ObjectiveStats" })

/** A map with all its details. A client needs only this one response to display a page about the map. */
export const MapOfMatch = Schema.Struct({
  entityType: Schema.Literal("cs2_map"),
  id: GameId,
  matchId: MatchId,
  mapNumber: Count,
  mapName: Text,
  status: MatchStatus,
  team1Score: nullable(Count),
  team2Score: nullable(Count),
  team1Halves: nullable(Schema.Array(Schema.Int)),
  team2Halves: nullable(Schema.Array(Schema.Int)),
  winnerTeamId: nullable(TeamId),
  durationRounds: nullable(Count),
  lastSyncedAt: Timestamp,
  playerStats: Schema.Array(GamePlayerStats),
  bombEvents: Schema.Array(BombEvent),
  bombStats: Schema.Array(TeamObjectives),
  weaponAggregates: Schema.Array(
    Schema.Struct({ weapon: Text, weaponIconUrl: Text, kills: Count, headshots: Count, headshotPercent: Share }),
  ),
  mapImageUrl: nullable(Text),
  pickTeamId: nullable(TeamId),
  objectiveStats: ObjectiveStats,
  availableSubresources: Schema.Array(Text),
  unavailableSubresources: Schema.Array(Text),
  unavailableFields: Schema.Record(Text, Schema.Struct({ reason: Text })),
  dataQuality: DataQuality,
}).annotate({ identifier: "MatchMap" })
export type MapOfMatch = typeof MapOfMatch.Type

/** `halfScores` has both halves of regulation time, then of every overtime. Its sides are null if only scores are known. */
export const Game = Schema.Struct({
  id: GameId,
  entityType: Schema.Literal("cs2_game"),
  matchId: MatchId,
  mapNumber: Count,
  map: Text,
  pickTeamId: nullable(TeamId),
  winnerTeamId: nullable(TeamId),
  score: Schema.Struct({ team1: nullable(Count), team2: nullable(Count) }),
  halfScores: nullable(
    Schema.Array(
      Schema.Struct({
        half: Count,
        team1: Count,
        team2: Count,
        team1Side: nullable(Side),
        team2Side: nullable(Side),
        overtime: Schema.Boolean,
      }),
    ),
  ),
  team1Halves: nullable(Schema.Array(Schema.Int)),
  team2Halves: nullable(Schema.Array(Schema.Int)),
  /** Score of all overtimes together. Null if there was no overtime or its score is unknown. */
  overtime: nullable(Schema.Struct({ team1: Count, team2: Count })),
  durationRounds: nullable(Count),
  /**
   * Number of rounds and duration of the map. `source` is `rounds` if the rounds were counted individually, and `score`
   * if their number was derived from the score. `seconds` is our addition; the API specification does not define it.
   */
  duration: Schema.Struct({ rounds: nullable(Count), source: Schema.Literals(["rounds", "score"]), seconds: nullable(Count) }),
  status: MatchStatus,
  resultType: ResultType,
  resultStatus: Schema.Literals(["final", "pending"]),
  isForfeit: Schema.Boolean,
  /** True if the map was played to the end and therefore counts in statistics. */
  statsEligible: Schema.Boolean,
  unavailableReason: nullable(UnavailableReason),
  playerStatsAvailable: Schema.Boolean,
  playerStats: Schema.Array(GamePlayerStats),
  roundsAvailable: Schema.Boolean,
  objectiveStats: ObjectiveStats,
}).annotate({ identifier: "Game" })
export type Game = typeof Game.Type
