/** Models of the maps of a live match in response format v1, with their teams and player statistics. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { MatchId, PlayerId, TeamId } from "../../rules/ids.ts"
import { availability, LiveBombEvent } from "./liveModels.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural

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
