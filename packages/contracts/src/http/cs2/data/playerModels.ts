/**
 * What only the endpoints of players answer with. The player himself is `models.ts`', a line on one map `gameModels.ts`'. Sums are of
 * the maps that have the number; null: none has. Rates are 0..1, and null of nothing.
 */

import { EventId, PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { RATING_VERSION } from "@matchpoint/domain/cs2/rating"
import { Schema } from "effect"
import { Timestamp } from "../../../timestamp.ts"
import { GamePlayerStats } from "./gameModels.ts"
import { availability, MatchSummary, Player, PlayerCard, Share, Team } from "./models.ts"
import { record } from "./teamModels.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Rate = nullable(Share)
const Average = nullable(Schema.Finite)

/** Of a player's lines, map by map. */
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
  headshotPercent: Rate.annotate({ description: "Of the kills on maps of which headshots are known: 0..1" }),
  firstKills: nullable(Count),
  firstDeaths: nullable(Count),
  openingDuelSuccessRate: Rate,
  adr: Average.annotate({ description: "Weighted by rounds, as are `kast` and `rating`" }),
  kast: Rate,
  rating: Average,
  ratingVersion: Schema.Literal(RATING_VERSION),
  flashAssists: nullable(Count),
  utilityDamage: nullable(Count),
  clutchAttempts: nullable(Count),
  clutchesWon: nullable(Count),
} as const

export const LineTotals = Schema.Struct(lineTotals).annotate({ identifier: "LineTotals" })

/** Matches he stood in for, and what his lines sum up to: matches are known further back than lines. */
const appearances = { ...record, ...lineTotals } as const

export const PlayerProfile = Schema.Struct({
  entityType: Schema.Literal("cs2_player"),
  ...Player.fields,
  team: nullable(Team),
  stats: Schema.Struct(appearances).annotate({ description: "All there is within the history of your plan" }),
  recentMatches: Schema.Array(MatchSummary).annotate({ description: "The last ten he stood in, newest first" }),
}).annotate({ identifier: "PlayerProfile" })
export type PlayerProfile = typeof PlayerProfile.Type

export const PlayerStats = Schema.Struct({
  entityType: Schema.Literal("cs2_player_stats"),
  playerId: PlayerId,
  player: Player,
  ...availability,
  totals: LineTotals,
  maps: Schema.Array(GamePlayerStats).annotate({ description: "His line of every map, newest first, one page of them" }),
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
  ).annotate({ description: "The newest first; a team he came back to is one" }),
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
  ).annotate({ description: "The newest 50" }),
}).annotate({ identifier: "PlayerCareer" })
export type PlayerCareer = typeof PlayerCareer.Type

export const PlayerSeasons = Schema.Struct({
  entityType: Schema.Literal("cs2_player_seasons"),
  playerId: PlayerId,
  player: PlayerCard,
  ...availability,
  seasons: Schema.Array(
    Schema.Struct({
      season: Schema.Int.annotate({ description: "A year, UTC" }),
      teams: Schema.Array(Schema.Struct({ teamId: TeamId, teamName: Text })),
      ...appearances,
    }),
  ).annotate({ description: "The newest first" }),
}).annotate({ identifier: "PlayerSeasons" })
export type PlayerSeasons = typeof PlayerSeasons.Type
