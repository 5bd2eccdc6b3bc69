/**
 * Models of the player endpoints. A sum includes only the maps for which the value is known, and is null if it is not
 * known for any map. Rates are fractions from 0 to 1, and null if their denominator is 0.
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { EventId, PlayerId, TeamId } from "../../../rules/ids.ts"
import { RATING_VERSION } from "../../../rules/rating.ts"
import { GamePlayerStats } from "./gameModels.ts"
import { availability, MatchSummary, Player, PlayerCard, Share, Team } from "./models.ts"
import { record } from "./teamModels.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Rate = nullable(Share)
const Average = nullable(Schema.Finite)

export const lineTotals = {
  maps: Count,
  mapWins: Count,
  mapLosses: Count,
  mapWinRate: Rate,
  rounds: Count,
  kills: Schema.Int,
  deaths: Count,
  assists: nullable(Count),
  plusMinus: Schema.Int,
  kdRatio: Average,
  killsPerRound: Average,
  deathsPerRound: Average,
  headshots: nullable(Count),
  headshotPercent: Rate.annotate({ description: "Share of kills that were headshots, on maps for which headshots are known: 0..1" }),
  firstKills: nullable(Count),
  firstDeaths: nullable(Count),
  openingDuelSuccessRate: Rate,
  adr: Average.annotate({ description: "Average damage per round; `adr`, `kast` and `rating` are weighted by rounds" }),
  kast: Rate,
  rating: Average,
  ratingVersion: Schema.Literal(RATING_VERSION),
  flashAssists: nullable(Count),
  utilityDamage: nullable(Count),
  clutchAttempts: nullable(Count),
  clutchesWon: nullable(Count),
} as const

export const LineTotals = Schema.Struct(lineTotals).annotate({ identifier: "LineTotals" })

/** The match record can include older matches for which the archive has no statistics. */
const appearances = { ...record, ...lineTotals } as const

export const PlayerProfile = Schema.Struct({
  entityType: Schema.Literal("cs2_player"),
  ...Player.fields,
  team: nullable(Team),
  stats: Schema.Struct(appearances).annotate({ description: "All matches within your plan's history" }),
  recentMatches: Schema.Array(MatchSummary).annotate({ description: "The last ten matches of the player, newest first" }),
}).annotate({ identifier: "PlayerProfile" })
export type PlayerProfile = typeof PlayerProfile.Type

export const PlayerStats = Schema.Struct({
  entityType: Schema.Literal("cs2_player_stats"),
  playerId: PlayerId,
  player: Player,
  ...availability,
  totals: LineTotals,
  maps: Schema.Array(GamePlayerStats).annotate({ description: "One page of the player's statistics by map, newest first" }),
}).annotate({ identifier: "PlayerStats" })
export type PlayerStats = typeof PlayerStats.Type

export const PlayerCareer = Schema.Struct({
  entityType: Schema.Literal("cs2_player_career"),
  playerId: PlayerId,
  player: PlayerCard,
  ...availability,
  firstMatchAt: nullable(Timestamp),
  lastMatchAt: nullable(Timestamp),
  totals: Schema.Struct(appearances),
  teams: Schema.Array(
    Schema.Struct({ teamId: TeamId, teamName: Text, firstMatchAt: Timestamp, lastMatchAt: Timestamp, ...appearances }),
  ).annotate({ description: "Newest first; a team that the player returned to is listed once" }),
  maps: Schema.Array(Schema.Struct({ mapName: Text, ...lineTotals })).annotate({ description: "Most played first" }),
  events: Schema.Array(
    Schema.Struct({
      eventId: EventId,
      eventName: Text,
      teamName: Text,
      placement: nullable(Text),
      lastMatchAt: Timestamp,
      ...record,
    }),
  ).annotate({ description: "The newest 50 events" }),
}).annotate({ identifier: "PlayerCareer" })
export type PlayerCareer = typeof PlayerCareer.Type

export const PlayerSeasons = Schema.Struct({
  entityType: Schema.Literal("cs2_player_seasons"),
  playerId: PlayerId,
  player: PlayerCard,
  ...availability,
  seasons: Schema.Array(
    Schema.Struct({
      season: Schema.Int.annotate({ description: "Calendar year in UTC" }),
      teams: Schema.Array(Schema.Struct({ teamId: TeamId, teamName: Text })),
      ...appearances,
    }),
  ).annotate({ description: "Newest first" }),
}).annotate({ identifier: "PlayerSeasons" })
export type PlayerSeasons = typeof PlayerSeasons.Type
