/** Builds JSON of players, in the models of the API contract. `p` is the alias of a row of `tennis_player_summaries`. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"

/** First day of the caller's history, such as `2024-05-01`, or undefined if the history is unlimited. */
export type Since = string | undefined

export const handText = (p: string): string => `CASE ${p}.hand WHEN 'R' THEN 'right' WHEN 'L' THEN 'left' WHEN 'A' THEN 'both' END`

/** NULL for a caller with limited history, because the column counts all years. */
const careerText = (column: string, since: Since): string => (since === undefined ? column : "NULL")

/** NULL if the newest ranking list is older than the caller's history. */
const currentJson = (sql: PgClient.PgClient, p: string, column: string, since: Since): Fragment =>
  since === undefined
    ? sql.literal(`${p}.${column}`)
    : sql`CASE WHEN ${sql.literal(`${p}.rank_date`)} >= ${since}::date THEN ${sql.literal(`${p}.${column}`)} END`

/** `more` are further names and values of `json_build_object`. */
export const playerJson = (sql: PgClient.PgClient, p: string, since: Since, more: Fragment = sql.literal("")): Fragment =>
  sql`json_build_object(${sql.literal(`
    'id', ${p}.player_id, 'tour', upper(${p}.tour), 'name', ${p}.name, 'first_name', ${p}.first_name, 'last_name', ${p}.last_name,
    'country', ${p}.country, 'dob', ${p}.birth_date::text, 'hand', ${handText(p)}, 'height_cm', ${p}.height_cm,
    'career_high', ${careerText(`${p}.career_high`, since)}, 'matches', ${careerText(`${p}.matches`, since)},
    'titles', ${careerText(`${p}.titles`, since)}, 'current_rank',`)} ${currentJson(sql, p, "current_rank", since)} ${more})`

/**
 * Columns `rank` and `ranking_date`, the first list with the best rank since the day `since`; no row without a list.
 */
export const bestRank = (sql: PgClient.PgClient, p: string, since: Since): Fragment =>
  since === undefined
    ? sql.literal(`(SELECT ${p}.career_high AS rank, ${p}.career_high_date AS ranking_date WHERE ${p}.career_high IS NOT NULL)`)
    : sql`(SELECT r.rank, r.ranking_date FROM tennis_rankings r
        WHERE r.player_id = ${sql.literal(`${p}.player_id`)} AND r.ranking_date >= ${since}::date ORDER BY r.rank, r.ranking_date LIMIT 1)`

/** Fields `id`, `name`, `country`, `current_rank` and `career_high`. */
export const comparedJson = (sql: PgClient.PgClient, p: string, since: Since): Fragment =>
  sql`json_build_object(${sql.literal(`'id', ${p}.player_id, 'name', ${p}.name, 'country', ${p}.country, 'current_rank',`)}
    ${currentJson(sql, p, "current_rank", since)}, 'career_high', (SELECT rank FROM ${bestRank(sql, p, since)} AS best))`

/** Rank with points and date, or NULL. */
export const currentRankJson = (sql: PgClient.PgClient, p: string, since: Since): Fragment =>
  sql`(SELECT json_build_object('rank', rank, 'points', ${sql.literal(`${p}.current_points, 'date', ${p}.rank_date::text`)})
    FROM (SELECT ${currentJson(sql, p, "current_rank", since)} AS rank) AS newest WHERE rank IS NOT NULL)`
