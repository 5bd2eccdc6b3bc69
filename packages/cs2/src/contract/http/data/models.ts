/** Models that several data endpoints return, with the fields of section 2 of the API specification. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { EventId, MatchId, PlayerId, TeamId } from "../../../rules/ids.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural

export const Confidence = Schema.Literals(["high", "medium", "low"])
export type Confidence = typeof Confidence.Type

export const DataQuality = Schema.Literals(["complete", "partial", "unavailable"])
export type DataQuality = typeof DataQuality.Type

export const UnavailableReason = Schema.Literals(["not_yet_indexed", "being_recomputed"])
export type UnavailableReason = typeof UnavailableReason.Type

/** `unavailableReason` is null if `dataAvailable` is true. */
export const availability = { dataAvailable: Schema.Boolean, unavailableReason: nullable(UnavailableReason) } as const

/** A fraction from 0 to 1. */
export const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
export const Percent = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

export const Team = Schema.Struct({
  id: TeamId,
  name: Text,
  slug: Text,
  teamTag: nullable(Text),
  logoUrl: nullable(Text),
  countryName: nullable(Text),
  countryCode: nullable(Text),
  region: nullable(Text),
  worldRanking: nullable(Schema.Int),
  lastSyncedAt: Timestamp,
  lastVerified: nullable(Timestamp),
  confidence: Confidence,
  alternateLogoUrl: nullable(Text),
  darkUiLogoUrl: nullable(Text),
}).annotate({ identifier: "Team" })
export type Team = typeof Team.Type

/** Short description of a player, embedded in rows such as those of leaderboards. */
export const PlayerCard = Schema.Struct({
  id: PlayerId,
  nickname: Text,
  slug: Text,
  imageUrl: nullable(Text),
  countryName: nullable(Text),
  countryCode: nullable(Text),
}).annotate({ identifier: "PlayerCard" })
export type PlayerCard = typeof PlayerCard.Type

export const Player = Schema.Struct({
  id: PlayerId,
  nickname: Text,
  slug: Text,
  realName: nullable(Text),
  imageUrl: nullable(Text),
  countryName: nullable(Text),
  countryCode: nullable(Text),
  age: nullable(Count),
  /** Average rating over all of the player's maps that have a rating, weighted by the number of rounds. */
  rating: nullable(Schema.Finite),
  mapsPlayed: Count,
  careerStats: Schema.Struct({ rating: nullable(Schema.Finite), lastKnownRating: nullable(Schema.Finite) }),
  currentTeamId: nullable(TeamId),
  status: Text,
  primaryRole: nullable(Text),
  roleConfidence: nullable(Confidence),
  statusUpdatedAt: nullable(Timestamp),
  lastSyncedAt: Timestamp,
  lastVerified: nullable(Timestamp),
}).annotate({ identifier: "Player" })
export type Player = typeof Player.Type

export const EventStatus = Schema.Literals(["upcoming", "live", "completed"])
export type EventStatus = typeof EventStatus.Type

export const EventTier = Schema.Literals(["S", "A", "B", "C"])

/** A row of the final standings of a tournament. */
export const EventStanding = Schema.Struct({
  place: Text,
  teamId: TeamId,
  teamName: Text,
  matchesWon: Count,
  matchesLost: Count,
  mapsWon: Count,
  mapsLost: Count,
  prize: nullable(Count),
}).annotate({ identifier: "EventStanding" })
export type EventStanding = typeof EventStanding.Type

export const BracketMatch = Schema.Struct({
  matchId: nullable(MatchId),
  team1Id: nullable(TeamId),
  team1Name: nullable(Text),
  team2Id: nullable(TeamId),
  team2Name: nullable(Text),
  team1Score: nullable(Count),
  team2Score: nullable(Count),
  winnerTeamId: nullable(TeamId),
}).annotate({ identifier: "BracketMatch" })

export const EventStructure = Schema.Struct({
  stages: Schema.Array(
    Schema.Struct({
      name: Text,
      type: Schema.Literals(["group", "swiss", "bracket", "unknown"]),
      rounds: Schema.Array(Schema.Struct({ name: Text, matches: Schema.Array(BracketMatch) })),
    }),
  ),
}).annotate({ identifier: "EventStructure" })
export type EventStructure = typeof EventStructure.Type

/** In lists, structure, prizes and standings are null or empty; the endpoint of a single event returns them. */
export const EventRow = Schema.Struct({
  entityType: Schema.Literal("cs2_event"),
  eventId: EventId,
  id: EventId,
  name: Text,
  slug: Text,
  status: EventStatus,
  confirmedStatus: Schema.Literals(["source_detail", "source_listed"]),
  startsAt: nullable(Timestamp),
  endsAt: nullable(Timestamp),
  tier: nullable(EventTier),
  prestigeScore: nullable(Schema.Int),
  region: nullable(Text),
  isLan: Schema.Boolean,
  location: nullable(Text),
  prizePool: nullable(Count),
  currency: nullable(Text),
  format: nullable(Text),
  teamCount: Count,
  logoUrl: nullable(Text),
  imageUrl: nullable(Text),
  bannerImageUrl: nullable(Text),
  hasBracketStructure: Schema.Boolean,
  standingsAvailable: Schema.Boolean,
  lastSyncedAt: Timestamp,
  eventStructure: nullable(EventStructure),
  prizeDistribution: nullable(
    Schema.Array(Schema.Struct({ place: Text, teamId: nullable(TeamId), teamName: nullable(Text), amount: nullable(Count) })),
  ),
  stats: nullable(Schema.Struct({ matches: Count, maps: Count, rounds: Count, players: Count })),
  availableSubresources: Schema.Array(Text),
  unavailableSubresources: Schema.Array(Text),
  unavailableFields: nullable(Schema.Record(Text, Schema.Struct({ reason: Schema.Literal("event_field_unavailable") }))),
  dataQuality: DataQuality,
  confidence: Confidence,
  confidenceScore: Share,
  lastVerified: nullable(Timestamp),
  standings: Schema.Array(EventStanding),
}).annotate({ identifier: "Event" })
export type EventRow = typeof EventRow.Type

export const MatchStatus = Schema.Literals(["upcoming", "live", "completed", "cancelled"])
export type MatchStatus = typeof MatchStatus.Type

export const VetoStep = Schema.Struct({
  order: Schema.Int,
  action: Schema.Literals(["ban", "pick", "decider"]),
  teamId: nullable(TeamId),
  mapName: Text,
}).annotate({ identifier: "VetoStep" })

export const Link = Schema.Struct({ url: Text, platform: nullable(Text), language: nullable(Text) }).annotate({ identifier: "Link" })

export const MatchSummary = Schema.Struct({
  id: MatchId,
  eventId: nullable(EventId),
  eventName: nullable(Text),
  eventSlug: nullable(Text),
  stageName: nullable(Text),
  startsAt: Timestamp,
  endsAt: nullable(Timestamp),
  bestOf: nullable(Count),
  status: MatchStatus,
  team1Id: TeamId,
  team2Id: TeamId,
  team1Name: Text,
  team2Name: Text,
  /** Number of maps that team 1 won, or null if only the winner of the match is known. */
  team1Score: nullable(Count),
  team2Score: nullable(Count),
  winnerTeamId: nullable(TeamId),
  liveState: Schema.Struct({
    status: MatchStatus,
    team1Score: nullable(Count),
    team2Score: nullable(Count),
    winnerTeamId: nullable(TeamId),
  }),
  vetoOrder: nullable(Schema.Array(VetoStep)),
  streamLinks: nullable(Schema.Array(Link)),
  vodLinks: Schema.Array(Link),
  lastSyncedAt: Timestamp,
  lastVerified: nullable(Timestamp),
  confidence: Confidence,
  dataQuality: DataQuality,
  event: nullable(EventRow),
}).annotate({ identifier: "Match" })
export type MatchSummary = typeof MatchSummary.Type
