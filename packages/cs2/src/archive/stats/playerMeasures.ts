/**
 * Computes the statistics of players in a time window from player lines (one player's statistics on one map). The
 * formulas:
 * - Counts are sums over the maps that report them, or null if no map does. A column `..._maps` is the number of these
 * maps.
 * - `adr`, `kast` and `rating` are means over the maps that have a value, weighted by the number of rounds.
 * - `kd` is kills divided by deaths. Without deaths, the divisor is 1.
 * - `kills_plus_assists_per_death` is computed like `kd`, but only on maps whose assists are known.
 * - The team is that of the player's newest map. Of maps played at the same time, the higher team number wins.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { excludeSimulatedSql } from "../excludeSimulated.ts"
import { inWindow, type StatsWindow } from "./window.ts"

const weighted = (rate: string): string => `
    sum(l.${rate} * l.rounds) / NULLIF(sum(l.rounds) FILTER (WHERE l.${rate} IS NOT NULL), 0) AS ${rate}`

/** Columns of `cs2_stats_players`, except `window_days`. */
export const PLAYER_COLUMNS = `player_number, team_number, maps, kills, deaths, assists, adr, kast, rating, kd, kills_plus_assists_per_death,
  opening_maps, opening_kills, opening_deaths, clutch_maps, clutch_attempts, clutches_won, wins_1v1, wins_1v2, wins_1v3_plus,
  flash_maps, flash_assists, utility_maps, utility_events, flashes, smokes, fire_grenades, he_grenades, decoys,
  economy_maps, purchases, total_spend, equipment_value, equipment_snapshots, full_buy_rounds, half_buy_rounds, force_buy_rounds,
  eco_or_pistol_rounds, source, last_synced_at`

export const playerMeasures = (sql: PgClient.PgClient, window: StatsWindow): Fragment => sql`
  SELECT l.player_number,
    (max(ARRAY[floor(extract(epoch FROM l.played_at) * 1000)::bigint, l.team_number]))[2] AS team_number,
    count(*)::integer AS maps, sum(l.kills)::bigint AS kills, sum(l.deaths)::bigint AS deaths, sum(l.assists)::bigint AS assists,
    ${sql.literal(`${weighted("adr")}, ${weighted("kast")}, ${weighted("rating")}`)},
    sum(l.kills)::double precision / greatest(sum(l.deaths), 1) AS kd,
    (sum(l.kills + l.assists))::double precision / greatest(sum(l.deaths) FILTER (WHERE l.assists IS NOT NULL), 1)
      AS kills_plus_assists_per_death,
    count(l.first_kills)::integer AS opening_maps, sum(l.first_kills)::bigint AS opening_kills,
    sum(l.first_deaths) FILTER (WHERE l.first_kills IS NOT NULL)::bigint AS opening_deaths,
    count(l.clutch_attempts)::integer AS clutch_maps, sum(l.clutch_attempts)::bigint AS clutch_attempts,
    sum(l.clutches_won)::bigint AS clutches_won, sum(l.clutches_won_1v1)::bigint AS wins_1v1, sum(l.clutches_won_1v2)::bigint AS wins_1v2,
    sum(l.clutches_won_1v3_plus)::bigint AS wins_1v3_plus,
    count(l.flash_assists)::integer AS flash_maps, sum(l.flash_assists)::bigint AS flash_assists,
    count(l.flashes)::integer AS utility_maps,
    sum(l.flashes + l.smokes + l.fire_grenades + l.he_grenades + l.decoys)::bigint AS utility_events,
    sum(l.flashes)::bigint AS flashes, sum(l.smokes)::bigint AS smokes, sum(l.fire_grenades)::bigint AS fire_grenades,
    sum(l.he_grenades)::bigint AS he_grenades, sum(l.decoys)::bigint AS decoys,
    count(l.total_spend)::integer AS economy_maps, sum(l.purchases)::bigint AS purchases, sum(l.total_spend)::bigint AS total_spend,
    sum(l.equipment_value)::bigint AS equipment_value, sum(l.equipment_snapshots)::bigint AS equipment_snapshots,
    sum(l.full_buy_rounds)::bigint AS full_buy_rounds, sum(l.half_buy_rounds)::bigint AS half_buy_rounds,
    sum(l.force_buy_rounds)::bigint AS force_buy_rounds, sum(l.eco_or_pistol_rounds)::bigint AS eco_or_pistol_rounds,
    CASE WHEN min(l.source) = max(l.source) THEN min(l.source) ELSE 'multiple' END AS source,
    max(l.last_synced_at) AS last_synced_at
  FROM cs2_player_games l
  WHERE ${inWindow(sql, window, "l.played_at", "l.match_number")} AND ${sql.literal(excludeSimulatedSql("l"))}
  GROUP BY l.player_number`
