/**
 * Rows and metadata of statistics and leaderboards. Counts are summed over the time window. Shares are fractions from 0
 * to 1; values named `...WinPercent` range from 0 to 100. A value is null if it is unknown for every map of the window,
 * or if its denominator is 0.
 */
import { paging } from "@matchpoint/contracts/http/envelope"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { MatchId, PlayerId, TeamId } from "../../../rules/ids.ts"
import { availability, DataQuality, Percent, PlayerCard, Share, Team, UnavailableReason } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Rate = nullable(Schema.Finite)

export const LeaderboardMetric = Schema.Literals(["rating", "adr", "kast", "kd", "kills", "opening-kills"])
export type LeaderboardMetric = typeof LeaderboardMetric.Type

/** The player of a row, with the team of the player's newest map in the window. */
const playerAndTeam = { playerId: PlayerId, playerName: Text, teamId: TeamId, teamName: Text } as const

export const LeaderboardRow = Schema.Struct({
  ...playerAndTeam,
  maps: Count,
  rating: Rate,
  adr: Rate,
  kast: nullable(Share),
  kills: Schema.Int,
  deaths: Count,
  openingKills: nullable(Count),
  /** Kills per death; equals the kills if there are no deaths. */
  kd: Schema.Finite,
  player: PlayerCard,
}).annotate({ identifier: "LeaderboardRow" })
export type LeaderboardRow = typeof LeaderboardRow.Type

/** A rating over several maps, with the values from which it is computed. */
export const RatingProfile = Schema.Struct({
  rating: Rate,
  ratingVersion: Text,
  components: Schema.Struct({ killsPerMap: Schema.Finite, adr: Rate, kast: nullable(Share), killsPlusAssistsPerDeath: Rate }),
  openingDuels: Schema.Struct({ openingKills: nullable(Count), openingDeaths: nullable(Count), successRate: nullable(Share) }),
  formula: Text,
}).annotate({ identifier: "PlayerRatingProfile" })

export const PlayerStatsRow = Schema.Struct({
  ...playerAndTeam,
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
  /** The data source of the maps that the player's statistics cover, or `multiple` if there are several sources. */
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

/** Statistics of a weapon. `maps` is the number of maps on which the weapon made at least one kill. */
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

/** In this model and the ones below, `maps` is the number of maps for which these statistics are known. */
export const OpeningDuelsRow = Schema.Struct({
  ...playerAndTeam,
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
  ...playerAndTeam,
  clutchAttempts: Count,
  clutchesWon: Count,
  clutchWinPercent: nullable(Percent),
  wins1v1: nullable(Count),
  wins1v2: nullable(Count),
  wins1v3Plus: nullable(Count),
}).annotate({ identifier: "ClutchesRow" })
export type ClutchesRow = typeof ClutchesRow.Type

export const FlashAssistsRow = Schema.Struct({
  ...playerAndTeam,
  flashAssists: Count,
  maps: Count,
  flashAssistsPerMap: Schema.Finite,
}).annotate({
  identifier: "FlashAssistsRow",
})
export type FlashAssistsRow = typeof FlashAssistsRow.Type

export const UtilityRow = Schema.Struct({
  ...playerAndTeam,
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
  ...playerAndTeam,
  maps: Count,
  purchases: nullable(Count),
  totalSpend: Count,
  /** Average value of the player's equipment at the end of freeze time, over the rounds for which it is known. */
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
 * `windowDays` is null for the whole archive. `refreshedAt` is the time of the computation, or null if it was made for
 * this request. `stale` is true if the statistics are more than two hours old.
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

/** Copies in snake case, because the API specification uses both spellings. */
const spelledBothWays = { data_available: Schema.Boolean, unavailable_reason: nullable(UnavailableReason) } as const

export const PistolRoundsMeta = Schema.Struct({ ...StatsMeta.fields, ...spelledBothWays, minPistolRounds: Count }).annotate({
  identifier: "PistolRoundsMeta",
})
export const ClutchesMeta = Schema.Struct({ ...StatsMeta.fields, ...spelledBothWays, minAttempts: Count }).annotate({
  identifier: "ClutchesMeta",
})

/** Outcome of a match for a team, or `null` if the outcome is unknown or the match was a draw. */
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

/** Statistics of the matches between two teams. Matches decided by forfeit are listed in `recent` but not counted. */
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
  /**
   * Newest matches between the two teams, newest first, at most 20. The scores are in the order of `team1` and `team2`
   * in this response.
   */
  recent: Schema.Array(Meeting),
}).annotate({ identifier: "HeadToHeadStats" })
export type HeadToHeadStats = typeof HeadToHeadStats.Type

export const TeamForm = Schema.Struct({
  entityType: Schema.Literal("cs2_team_form"),
  team: Team,
  matches: Count,
  wins: Count,
  losses: Count,
  winPercent: nullable(Percent),
  /**
   * The team's current streak: the outcome of the newest match with a known winner, and the number of consecutive
   * matches with that outcome.
   */
  streak: Schema.Struct({ outcome: Outcome, length: Count }),
  /**
   * Outcomes of the matches as one string, newest first: `W` for a win, `L` for a loss, or `-` if the outcome is
   * unknown or a draw.
   */
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
