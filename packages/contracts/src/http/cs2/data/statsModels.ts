/**
 * Rows of statistics and leaderboards, and what their answers say of themselves. Counts are sums over the window; a share is 0..1, a
 * `...WinPercent` 0..100. Null: no map of the window tells it, or nothing to divide by.
 */
import { MatchId, PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { Timestamp } from "../../../timestamp.ts"
import { paging } from "../../envelope.ts"
import { availability, DataQuality, Percent, PlayerCard, Share, Team, UnavailableReason } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Rate = nullable(Schema.Finite)

/** What a leaderboard ranks by. */
export const LeaderboardMetric = Schema.Literals(["rating", "adr", "kast", "kd", "kills", "opening-kills"])
export type LeaderboardMetric = typeof LeaderboardMetric.Type

/** The team is the one of his newest map in the window. */
const who = { playerId: PlayerId, playerName: Text, teamId: TeamId, teamName: Text } as const

export const LeaderboardRow = Schema.Struct({
  ...who,
  maps: Count,
  rating: Rate,
  adr: Rate,
  kast: nullable(Share),
  kills: Schema.Int,
  deaths: Count,
  openingKills: nullable(Count),
  /** Kills per death; without a death, the kills. */
  kd: Schema.Finite,
  player: PlayerCard,
}).annotate({ identifier: "LeaderboardRow" })
export type LeaderboardRow = typeof LeaderboardRow.Type

/** What a rating over several maps is made of. */
export const RatingProfile = Schema.Struct({
  rating: Rate,
  ratingVersion: Text,
  components: Schema.Struct({ killsPerMap: Schema.Finite, adr: Rate, kast: nullable(Share), killsPlusAssistsPerDeath: Rate }),
  openingDuels: Schema.Struct({ openingKills: nullable(Count), openingDeaths: nullable(Count), successRate: nullable(Share) }),
  formula: Text,
}).annotate({ identifier: "PlayerRatingProfile" })

export const PlayerStatsRow = Schema.Struct({
  ...who,
  maps: Count,
  kills: Schema.Int,
  deaths: Count,
  assists: nullable(Count),
  kdRatio: Schema.Finite,
  adr: Rate,
  kast: nullable(Share),
  rating: Rate,
  openingKills: nullable(Count),
  openingDeaths: nullable(Count),
  openingDuelSuccessRate: nullable(Share),
  ratingProfile: RatingProfile,
  /** Who told his maps; `multiple` when several did. */
  source: Text,
}).annotate({ identifier: "PlayerStatsRow" })
export type PlayerStatsRow = typeof PlayerStatsRow.Type

export const TeamStatsRow = Schema.Struct({
  teamId: TeamId,
  teamName: Text,
  matches: Count,
  matchWins: Count,
  matchWinPercent: nullable(Percent),
  maps: Count,
  mapWins: Count,
  mapLosses: Count,
  mapWinPercent: nullable(Percent),
  roundsFor: Count,
  roundsAgainst: Count,
  roundWinPercent: nullable(Percent),
}).annotate({ identifier: "TeamStatsRow" })
export type TeamStatsRow = typeof TeamStatsRow.Type

export const MapStatsRow = Schema.Struct({ mapName: Text, mapsPlayed: Count, share: Share }).annotate({ identifier: "MapStatsRow" })
export type MapStatsRow = typeof MapStatsRow.Type

/** `maps`: on which somebody killed with it. */
export const WeaponStatsRow = Schema.Struct({
  weapon: Text,
  kills: Schema.Int,
  headshots: Count,
  headshotPercent: nullable(Share),
  killShare: nullable(Share),
  maps: Count,
}).annotate({ identifier: "WeaponStatsRow" })
export type WeaponStatsRow = typeof WeaponStatsRow.Type

export const PistolRoundsRow = Schema.Struct({
  teamId: TeamId,
  teamName: Text,
  pistolRoundsPlayed: Count,
  pistolRoundsWon: Count,
  pistolWinPercent: Percent,
  firstHalfPistolWins: Count,
  secondHalfPistolWins: Count,
  ctPistolWinPercent: nullable(Percent),
  tPistolWinPercent: nullable(Percent),
  maps: Count,
}).annotate({ identifier: "PistolRoundsRow" })
export type PistolRoundsRow = typeof PistolRoundsRow.Type

/** `maps` here and below: those that tell what the row is about. */
export const OpeningDuelsRow = Schema.Struct({
  ...who,
  maps: Count,
  openingKills: Count,
  openingDeaths: nullable(Count),
  openingDuelAttempts: nullable(Count),
  openingDuelSuccessRate: nullable(Share),
  kills: Schema.Int,
  deaths: Count,
}).annotate({ identifier: "OpeningDuelsRow" })
export type OpeningDuelsRow = typeof OpeningDuelsRow.Type

export const ClutchesRow = Schema.Struct({
  ...who,
  clutchAttempts: Count,
  clutchesWon: Count,
  clutchWinPercent: nullable(Percent),
  wins1v1: nullable(Count),
  wins1v2: nullable(Count),
  wins1v3Plus: nullable(Count),
}).annotate({ identifier: "ClutchesRow" })
export type ClutchesRow = typeof ClutchesRow.Type

export const FlashAssistsRow = Schema.Struct({ ...who, flashAssists: Count, maps: Count, flashAssistsPerMap: Schema.Finite }).annotate({
  identifier: "FlashAssistsRow",
})
export type FlashAssistsRow = typeof FlashAssistsRow.Type

export const UtilityRow = Schema.Struct({
  ...who,
  maps: Count,
  utilityEvents: Count,
  flashes: Count,
  smokes: Count,
  fireGrenades: Count,
  heGrenades: Count,
  decoys: Count,
  utilityPerMap: Schema.Finite,
  lastSyncedAt: Timestamp,
}).annotate({ identifier: "UtilityRow" })
export type UtilityRow = typeof UtilityRow.Type

export const EconomyRow = Schema.Struct({
  ...who,
  maps: Count,
  purchases: nullable(Count),
  totalSpend: Count,
  /** Of his equipment at the end of freeze time, over the rounds in which it was seen. */
  avgEquipmentValue: Rate,
  equipmentSnapshots: nullable(Count),
  fullBuyRounds: nullable(Count),
  halfBuyRounds: nullable(Count),
  forceBuyRounds: nullable(Count),
  ecoOrPistolRounds: nullable(Count),
  spendPerMap: Schema.Finite,
  lastSyncedAt: Timestamp,
}).annotate({ identifier: "EconomyRow" })
export type EconomyRow = typeof EconomyRow.Type

/**
 * What every answer of statistics says of itself. `windowDays` null: the whole archive. `refreshedAt`: when the numbers were computed;
 * null: while answering. `stale`: that is more than two hours ago.
 */
export const StatsMeta = Schema.Struct({
  ...paging,
  category: Text,
  windowDays: nullable(Count),
  minMaps: Count,
  dataScope: Text,
  source: Text,
  ...availability,
  dataQuality: DataQuality,
  availability: Schema.Struct({ ...availability, refreshedAt: nullable(Timestamp), recomputing: Schema.Boolean, stale: Schema.Boolean }),
}).annotate({ identifier: "StatsMeta" })
export type StatsMeta = typeof StatsMeta.Type

export const LeaderboardMeta = Schema.Struct({ ...StatsMeta.fields, metric: LeaderboardMetric, aggregated: Schema.Boolean }).annotate({
  identifier: "LeaderboardMeta",
})

/** The specification spells these two signals both ways. */
const spelledBothWays = { data_available: Schema.Boolean, unavailable_reason: nullable(UnavailableReason) } as const

export const PistolRoundsMeta = Schema.Struct({ ...StatsMeta.fields, ...spelledBothWays, minPistolRounds: Count }).annotate({
  identifier: "PistolRoundsMeta",
})
export const ClutchesMeta = Schema.Struct({ ...StatsMeta.fields, ...spelledBothWays, minAttempts: Count }).annotate({
  identifier: "ClutchesMeta",
})

/** Null: lost or won is not known, or it was a draw. */
const Outcome = nullable(Schema.Literals(["win", "loss"]))

const Meeting = Schema.Struct({
  matchId: MatchId,
  startsAt: Timestamp,
  eventName: nullable(Text),
  team1Score: nullable(Count),
  team2Score: nullable(Count),
  winnerTeamId: nullable(TeamId),
  isForfeit: Schema.Boolean,
}).annotate({ identifier: "StatsMeeting" })

/** Two teams' meetings, as the first named sees them. Forfeits are listed and not counted. */
export const HeadToHeadStats = Schema.Struct({
  entityType: Schema.Literal("cs2_head_to_head_stats"),
  team1: Team,
  team2: Team,
  matches: Count,
  team1Wins: Count,
  team2Wins: Count,
  maps: Count,
  team1MapWins: Count,
  team2MapWins: Count,
  team1Rounds: Count,
  team2Rounds: Count,
  byMap: Schema.Array(Schema.Struct({ mapName: Text, played: Count, team1Wins: Count, team2Wins: Count })),
  /** Newest first, at most 20; scores in the order of `team1` and `team2` here. */
  recent: Schema.Array(Meeting),
}).annotate({ identifier: "HeadToHeadStats" })
export type HeadToHeadStats = typeof HeadToHeadStats.Type

/** How a team has fared in its newest matches. */
export const TeamForm = Schema.Struct({
  entityType: Schema.Literal("cs2_team_form"),
  team: Team,
  matches: Count,
  wins: Count,
  losses: Count,
  winPercent: nullable(Percent),
  /** Of the newest decided matches, all the same. */
  streak: Schema.Struct({ outcome: Outcome, length: Count }),
  /** Newest first: W, L, or - where it is not known. */
  sequence: Text,
  results: Schema.Array(
    Schema.Struct({
      matchId: MatchId,
      startsAt: Timestamp,
      opponentId: TeamId,
      opponentName: Text,
      score: nullable(Count),
      opponentScore: nullable(Count),
      outcome: Outcome,
    }),
  ),
}).annotate({ identifier: "TeamFormStats" })
export type TeamForm = typeof TeamForm.Type
