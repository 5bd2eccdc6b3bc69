/** SQL for the career of a player, from rows of `tennis_player_years` or from the same sums of fewer matches. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { percentText, returnText, serveText } from "../statisticsJson.ts"
import type { Since } from "./playerJson.ts"
import { yearColumns, yearsOfPlayer } from "./playerYears.ts"

/** Years are inclusive. Undefined fields do not restrict the career. */
export interface CareerFilter {
  readonly surface?: string | undefined
  readonly level?: string | undefined
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
  readonly since: Since
}

/** WITH clause whose table `lines` has the columns of `tennis_player_years` for the player and filter. */
export const careerLines = (
  sql: PgClient.PgClient,
  playerId: string,
  { level, since, surface, yearFrom, yearTo }: CareerFilter,
): Fragment => sql`
  WITH lines AS MATERIALIZED (
    SELECT * FROM ${
      since === undefined
        ? sql.literal("tennis_player_years AS y")
        : sql`(${yearsOfPlayer(sql, playerId, since)}) AS y (${sql.literal(yearColumns.join(", "))})`
    }
    WHERE ${sql.and([
      sql`y.player_id = ${playerId}`,
      ...(surface === undefined ? [] : [sql`y.surface = ${surface}`]),
      ...(level === undefined ? [] : [sql`y.level = ${level}`]),
      ...(yearFrom === undefined ? [] : [sql`y.year >= ${yearFrom}`]),
      ...(yearTo === undefined ? [] : [sql`y.year <= ${yearTo}`]),
    ])}
  )`

const sum = (column: string): string => `COALESCE(sum(${column}), 0)`
const MAIN = "circuit IN ('tour', 'amateur')"

const titles = `COALESCE(sum(titles) FILTER (WHERE ${MAIN}), 0)`

/** Arguments of `jsonb_build_object` for the record of the aggregated lines. */
const recordText = `'matches', ${sum("wins + losses")}, 'wins', ${sum("wins")}, 'losses', ${sum("losses")},
    'win_pct', ${percentText("sum(wins)", "sum(wins + losses)")},
    'walkovers_won', ${sum("walkovers_won")}, 'walkovers_lost', ${sum("walkovers_lost")},
    'finals', COALESCE(sum(finals) FILTER (WHERE ${MAIN}), 0), 'titles', ${titles},
    'other_titles', COALESCE(sum(titles) FILTER (WHERE NOT ${MAIN}), 0)`

const wonAndLostText = (name: string): string => `jsonb_build_object('won', ${sum(`${name}_won`)}, 'lost', ${sum(`${name}_lost`)},
    'win_pct', ${percentText(`sum(${name}_won)`, `sum(${name}_won + ${name}_lost)`)})`

const totals = `(
    SELECT jsonb_build_object(${recordText}, 'tiebreaks', ${wonAndLostText("tiebreaks")}, 'deciding_sets', ${wonAndLostText("deciding")},
      'statistics_matches', ${sum("with_statistics")},
      'serve', CASE WHEN sum(with_statistics) > 0 THEN ${serveText(sum)} END,
      'return', CASE WHEN sum(with_statistics) > 0 THEN ${returnText((column) => sum(`opponent_${column}`))} END) FROM lines)`

const recordsBy = (column: string, order: string): string => `(
    SELECT COALESCE(jsonb_agg(record ORDER BY ${order}), '[]') FROM (
      SELECT ${column}, ${sum("wins + losses")} AS matches, jsonb_build_object('${column}', ${column}, ${recordText}) AS record
      FROM named_lines GROUP BY ${column}) AS by_${column})`

/** Ends the WITH clause of {@link careerLines} with a table in which missing levels and surfaces are NULL. */
export const namedLinesText = `, named_lines AS (
    SELECT year, circuit, NULLIF(level, '') AS level, NULLIF(surface, '') AS surface, wins, losses, walkovers_won, walkovers_lost, finals, titles
    FROM lines)`

/** All fields of `TennisPlayerStats` except the player and the reason of missing statistics. */
export const statsText = `${totals} || jsonb_build_object(
    'by_surface', ${recordsBy("surface", "matches DESC, surface")}, 'by_level', ${recordsBy("level", "matches DESC, level")},
    'by_circuit', ${recordsBy("circuit", "matches DESC, circuit")}, 'by_year', ${recordsBy("year", "year DESC")})`

/** Inputs for the reason of missing statistics: one object per circuit. */
export const gapFactsText = `(
    SELECT COALESCE(jsonb_agg(jsonb_build_object('circuit', circuit, 'year', year, 'isWalkover', is_walkover)), '[]')
    FROM (SELECT circuit, max(year) AS year, sum(wins + losses) = 0 AS is_walkover FROM lines GROUP BY circuit) AS c)`

const wins = `'matches', ${sum("wins + losses")}, 'wins', ${sum("wins")}, 'losses', ${sum("losses")}, 'titles', ${titles}`

/** Fields `career` and `main_tour` of a profile. */
export const profileCareerText = `jsonb_build_object(
    'career', (SELECT jsonb_build_object(${wins}, 'first_match', min(first_day)::text, 'last_match', max(last_day)::text) FROM lines),
    'main_tour', (SELECT jsonb_build_object(${wins}) FROM lines WHERE circuit = 'tour'))`
