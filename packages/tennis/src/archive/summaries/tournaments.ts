/** One row per tournament and year, and the numbers of tournaments for totals of lists. */
import { teamNamePattern } from "../../rules/archive/draw/teamEvents.ts"
import { levelsOfTiers } from "../../rules/archive/tiers.ts"
import { hasNoDayText } from "../matches/matchJson.ts"
import { tournamentText } from "../tournaments/tournamentSql.ts"
import { idsIn } from "./slices.ts"
import type { TennisSummary } from "./TennisSummary.ts"

const tierText = `CASE ${Object.entries(levelsOfTiers)
  .map(([tier, levels]) => `WHEN t.level IN (${levels.map((level) => `'${level}'`).join(", ")}) THEN '${tier}'`)
  .join(" ")} WHEN t.level ~ '^[0-9]+$' THEN 'itf' ELSE 'tour' END`

/** Precedes the condition for the matches of the wanted tournaments. */
const head = "INSERT INTO tennis_tournaments WITH m AS NOT MATERIALIZED (SELECT * FROM tennis_matches"

/**
 * Follows the condition. The champion is the winner of the challenge round if there is one, else of the final. In a team
 * competition, the winner of a match wins no title; `draw/teamEvents` of the rules has its conditions.
 */
const tail = `)
  SELECT e.*, ${tournamentText("e")} FROM (
  SELECT t.tour || '_' || t.tournament_id AS id, t.tour, t.tournament_id,
    t.tour || '_' || tennis_competition_key(t.tour, t.tournament_id, t.name, t.level) AS competition_id, t.circuits,
    CASE WHEN t.tournament_id ~ '^[0-9]{4}-' THEN left(t.tournament_id, 4)::integer
      ELSE extract(year FROM t.starts_on)::integer END AS year,
    t.name, ${tierText} AS tier, t.level, t.surface,
    substring(t.tournament_id FROM '^[0-9]{4}-[MW]-[A-Z]+[0-9]*[AB]?-([A-Z]{3})-[0-9]') AS country,
    t.draw_size, t.starts_on, t.ends_on, t.date_is_tournament_start, t.is_team_event, t.matches,
    f.winner_id AS champion_id, f.winner_name AS champion_name, f.winner_country AS champion_country,
    f.loser_id AS finalist_id, f.loser_name AS finalist_name, f.loser_country AS finalist_country, f.score AS final_score
  FROM (
    SELECT tour, tournament_id, name, level, surface, draw_size, circuits, matches, starts_on, date_is_tournament_start,
      CASE WHEN is_verified THEN last_day END AS ends_on,
      level IS NOT DISTINCT FROM 'D' OR COALESCE(name, '') ~* '${teamNamePattern}' OR (round_robins > 0 AND finals > 1) AS is_team_event
    FROM (
      SELECT tour, tournament_id, min(tournament_name) AS name, min(level) AS level, min(surface) AS surface,
        max(draw_size) AS draw_size, array_agg(DISTINCT circuit) AS circuits, count(*)::integer AS matches,
        min(match_date) AS starts_on, max(match_date) AS last_day, bool_and(${hasNoDayText("m")}) AS date_is_tournament_start,
        bool_or(round = 'F' AND date_source IS NOT NULL) AS is_verified,
        count(*) FILTER (WHERE round = 'RR') AS round_robins, count(*) FILTER (WHERE round = 'F') AS finals
      FROM m GROUP BY tour, tournament_id) grouped) t
  LEFT JOIN (
    SELECT DISTINCT ON (tour, tournament_id) tour, tournament_id, winner_id, winner_name, winner_country, loser_id, loser_name,
      loser_country, score
    FROM m WHERE round IN ('F', 'CR') ORDER BY tour, tournament_id, round, match_number, match_id) f
    ON f.tour = t.tour AND f.tournament_id = t.tournament_id AND NOT t.is_team_event) e`

const countsHead = `INSERT INTO tennis_tournament_counts
  SELECT year, tour, tier, level, surface, country, count(*) FROM tennis_tournaments`
const countsTail = "GROUP BY year, tour, tier, level, surface, country"

export const tournaments: TennisSummary = {
  table: "tennis_tournaments",
  slicedBy: "years",
  // Ids begin with the year. Those that do not are in one of the slices too, because ids are compared as text.
  rebuild: (slice) => [
    `DELETE FROM tennis_tournaments WHERE ${idsIn("tournament_id", slice)}`,
    `${head} WHERE ${idsIn("tournament_id", slice)}${tail}`,
  ],
  update: (sql, { tour, tournamentId }) => [
    sql`DELETE FROM tennis_tournaments WHERE id = ${`${tour}_${tournamentId}`}`,
    sql`${sql.literal(head)} WHERE tour = ${tour} AND tournament_id = ${tournamentId} ${sql.literal(tail)}`,
  ],
}

export const tournamentCounts: TennisSummary = {
  table: "tennis_tournament_counts",
  slicedBy: "nothing",
  rebuild: () => ["DELETE FROM tennis_tournament_counts", `${countsHead} ${countsTail}`],
  update: (sql, { tour, tournamentId }) => {
    const year = sql`WHERE year = (SELECT year FROM tennis_tournaments WHERE id = ${`${tour}_${tournamentId}`})`
    return [sql`DELETE FROM tennis_tournament_counts ${year}`, sql`${sql.literal(countsHead)} ${year} ${sql.literal(countsTail)}`]
  },
}
