/**
 * Builds JSON of tournaments and competitions, in the models of the API contract: `json`, because building `jsonb` takes
 * one and a half times as long.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import type { Tier } from "../../rules/archive/tiers.ts"

/** Undefined fields do not restrict the list. */
export interface TournamentFilter {
  readonly tour?: "atp" | "wta" | undefined
  readonly level?: string | undefined
  readonly tier?: Tier | undefined
  readonly surface?: string | undefined
  readonly country?: string | undefined
  readonly year?: number | undefined
}

/** Condition on a row `e` of `tennis_tournaments` or `tennis_tournament_counts`. */
export const fitting = (sql: PgClient.PgClient, { country, level, surface, tier, tour, year }: TournamentFilter): Fragment =>
  sql.and([
    sql`true`,
    ...(tour === undefined ? [] : [sql`e.tour = ${tour}`]),
    ...(level === undefined ? [] : [sql`e.level = ${level}`]),
    ...(tier === undefined ? [] : [sql`e.tier = ${tier}`]),
    ...(surface === undefined ? [] : [sql`e.surface = ${surface}`]),
    ...(country === undefined ? [] : [sql`e.country = ${country}`]),
    ...(year === undefined ? [] : [sql`e.year = ${year}`]),
  ])

/**
 * True if a competition `c` has had a name with this text, which is normalized here as in the index. Below three
 * characters, which the index cannot search, only the beginning of words is compared.
 */
export const named = (sql: PgClient.PgClient, text: string): Fragment => {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, " ")
    .trim()
  if (words === "") return sql`false`
  return words.length >= 3 ? sql`c.words LIKE ${`%${words}%`}` : sql`(c.words LIKE ${`${words}%`} OR c.words LIKE ${`% ${words}%`})`
}

const playerText = (e: string, who: string): string =>
  `CASE WHEN ${e}.${who}_id IS NOT NULL THEN json_build_object('id', ${e}.${who}_id, 'name', ${e}.${who}_name, 'country', ${e}.${who}_country) END`

const outcomeText = (e: string): string => `'champion', ${playerText(e, "champion")}, 'finalist', ${playerText(e, "finalist")},
  'final_score', ${e}.final_score,
  'champion_reason', CASE WHEN ${e}.is_team_event THEN 'team_event' WHEN ${e}.champion_id IS NULL THEN 'no_final' END`

/** The model `TennisTournament`, which the summary stores as `details`. */
export const tournamentText = (e: string): string => `json_build_object(
  'id', ${e}.id, 'competition_id', ${e}.competition_id, 'tour', upper(${e}.tour), 'circuits', to_json(${e}.circuits), 'year', ${e}.year,
  'name', ${e}.name, 'tier', ${e}.tier, 'level', ${e}.level, 'surface', ${e}.surface, 'draw_size', ${e}.draw_size,
  'starts_on', ${e}.starts_on::text, 'ends_on', ${e}.ends_on::text,
  'ends_on_reason', CASE WHEN ${e}.ends_on IS NULL THEN 'day_not_verified' END,
  'location', json_build_object('country', ${e}.country, 'city', NULL,
    'reason', CASE WHEN ${e}.country IS NULL THEN 'location_not_in_source' ELSE 'city_not_in_source' END),
  'matches', ${e}.matches, ${outcomeText(e)})`

export const editionText = (e: string): string => `json_build_object('id', ${e}.id, 'year', ${e}.year, 'name', ${e}.name,
  'surface', ${e}.surface, 'starts_on', ${e}.starts_on::text, ${outcomeText(e)})`

/** A competition `c` with the numbers `s` of {@link competitionNumbers}. */
export const competitionText = `json_build_object(
  'id', c.id, 'tour', upper(c.tour), 'name', c.name, 'tier', c.tier, 'level', c.level, 'surface', c.surface,
  'tournaments', s.tournaments, 'first_year', s.first_year, 'last_year', s.last_year, 'newest_id', c.newest_id,
  'most_titles', CASE WHEN s.most_titles IS NOT NULL THEN json_build_object('titles', s.most_titles, 'player',
    ${playerText("s", "most_titles")}) END)`

/**
 * Numbers of competition `c`, as `s`. With `from` (`YYYY-MM-DD`) those since then: few, for plans with a short history.
 */
export const competitionNumbers = (sql: PgClient.PgClient, from: string | undefined): Fragment =>
  from === undefined
    ? sql`
      CROSS JOIN LATERAL (SELECT c.tournaments, c.first_year, c.last_year, c.most_titles, c.most_titles_id, c.most_titles_name,
        c.most_titles_country) s`
    : sql`
      CROSS JOIN LATERAL (SELECT count(*)::integer AS tournaments, min(e.year) AS first_year, max(e.year) AS last_year
        FROM tennis_tournaments e WHERE e.competition_id = c.id AND e.starts_on >= ${from}::date) held
      LEFT JOIN LATERAL (SELECT count(*)::integer AS most_titles, e.champion_id AS most_titles_id, max(e.champion_name) AS most_titles_name,
          max(e.champion_country) AS most_titles_country
        FROM tennis_tournaments e WHERE e.competition_id = c.id AND e.starts_on >= ${from}::date AND e.champion_id IS NOT NULL
        GROUP BY e.champion_id ORDER BY count(*) DESC, max(e.starts_on) DESC, e.champion_id LIMIT 1) won ON true
      CROSS JOIN LATERAL (SELECT held.*, won.*) s`
