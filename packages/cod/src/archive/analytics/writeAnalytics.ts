import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { clutchShares } from "../../rules/analytics/clutches.ts"
import { type PlayerSums, sumFields } from "../../rules/analytics/playerSums.ts"
import { boardOf, boardStats } from "../../rules/analytics/stats.ts"
import { decodePlayerSums } from "./decodeSums.ts"
import { factColumns, factsText, summedJson } from "./playerFacts.ts"
import { teamMapColumns, teamMapsText } from "./teamMaps.ts"

/** Season of the rows that count all seasons. */
export const ALL_SEASONS = 0
/** Name in the rows that count all maps of a mode. */
export const ALL_MAPS = ""

/** Replaces the analytics of these seasons, and those of all seasons together. */
export const writeAnalytics = Effect.fnUntraced(function* (sql: PgClient.PgClient, seasons: ReadonlyArray<number>) {
  const given = sql`${seasons}::integer[]`
  yield* sql`DELETE FROM cod_player_facts WHERE season = ANY(${given})`
  yield* sql`INSERT INTO cod_player_facts (${sql.literal(factColumns)}) ${sql.literal(factsText(arrayText(seasons)))}`
  yield* sql`DELETE FROM cod_team_maps WHERE season = ${ALL_SEASONS} OR season = ANY(${given})`
  yield* sql`
    INSERT INTO cod_team_maps (${sql.literal(teamMapColumns)}) ${sql.literal(teamMapsText(`t.season = ANY(${arrayText(seasons)})`))}`
  yield* sql`
    INSERT INTO cod_team_maps (${sql.literal(teamMapColumns)})
    SELECT ${ALL_SEASONS}, team_slug, mode, map_name, sum(maps), sum(wins), sum(picks), sum(points), sum(points_against), sum(line_points),
      sum(kills), sum(deaths), sum(objectives), sum(objective_maps), max(last_played)
    FROM cod_team_maps WHERE map_name <> ${ALL_MAPS} GROUP BY team_slug, mode, map_name`
  yield* sql`
    INSERT INTO cod_team_maps (${sql.literal(teamMapColumns)})
    SELECT season, team_slug, mode, ${ALL_MAPS}, sum(maps), sum(wins), sum(picks), sum(points), sum(points_against), sum(line_points),
      sum(kills), sum(deaths), sum(objectives), sum(objective_maps), max(last_played)
    FROM cod_team_maps WHERE season = ${ALL_SEASONS} OR season = ANY(${given}) GROUP BY season, team_slug, mode`
  for (const season of [ALL_SEASONS, ...seasons]) yield* writeBoards(sql, season)
})

/** Seasons are integers, so they need no escaping. */
const arrayText = (seasons: ReadonlyArray<number>): string => `ARRAY[${seasons.map(Math.trunc).join(", ")}]::integer[]`

const writeBoards = Effect.fnUntraced(function* (sql: PgClient.PgClient, season: number) {
  const players: ReadonlyMap<string, PlayerSums> = yield* Effect.flatMap(
    sql`
      SELECT f.player_id AS "playerId", ${sql.literal(summedJson(sumFields))} AS sums FROM cod_player_facts f
      WHERE ${season === ALL_SEASONS ? sql`true` : sql`f.season = ${season}`} GROUP BY f.player_id`,
    decodePlayerSums(sumFields),
  )
  const shares = clutchShares([...players.values()])
  const rows = boardStats.flatMap((stat) =>
    boardOf(stat, players, shares).map((place, index) => ({ season, stat, position: index, ...place })),
  )
  yield* sql`DELETE FROM cod_analytics_boards WHERE season = ${season}`
  yield* sql`
    INSERT INTO cod_analytics_boards (season, stat, player_id, position, rank, value, sample)
    SELECT season, stat, "playerId", position, rank, value, sample FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS r (season integer, stat text, "playerId" text, position integer, rank integer, value double precision, sample double precision)`
})
