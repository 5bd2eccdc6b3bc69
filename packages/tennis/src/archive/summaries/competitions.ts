/** Tournaments that are held again, with their years, their names and the record champion. */
import type { TennisSummary } from "./TennisSummary.ts"

const head = "INSERT INTO tennis_competitions WITH t AS NOT MATERIALIZED (SELECT * FROM tennis_tournaments"

/** If players have equally many titles, the one that won the most recent title is the record champion. */
const tail = `),
  titles AS (
    SELECT DISTINCT ON (competition_id) competition_id, champion_id, titles, name, country
    FROM (
      SELECT competition_id, champion_id, count(*)::integer AS titles, max(starts_on) AS newest,
        (array_agg(champion_name ORDER BY starts_on DESC))[1] AS name, (array_agg(champion_country ORDER BY starts_on DESC))[1] AS country
      FROM t WHERE champion_id IS NOT NULL GROUP BY competition_id, champion_id) won
    ORDER BY competition_id, titles DESC, newest DESC, champion_id),
  newest AS (
    SELECT DISTINCT ON (competition_id) competition_id, id, tour, name, tier, level, surface FROM t ORDER BY competition_id, starts_on DESC, id DESC),
  grouped AS (
    SELECT competition_id, count(*)::integer AS tournaments, min(year) AS first_year, max(year) AS last_year,
      string_agg(DISTINCT trim(regexp_replace(lower(name), '[^a-z0-9]+', ' ', 'g')), ' ') AS words
    FROM t GROUP BY competition_id)
  SELECT g.competition_id, n.tour, n.name, n.tier, n.level, n.surface, g.tournaments, g.first_year, g.last_year, n.id,
    w.titles, w.champion_id, w.name, w.country, COALESCE(g.words, '')
  FROM grouped g JOIN newest n USING (competition_id) LEFT JOIN titles w USING (competition_id)`

export const competitions: TennisSummary = {
  table: "tennis_competitions",
  slicedBy: "nothing",
  rebuild: () => ["DELETE FROM tennis_competitions", `${head}${tail}`],
  update: (sql, { tour, tournamentId }) => {
    const competition = sql`(SELECT competition_id FROM tennis_tournaments WHERE id = ${`${tour}_${tournamentId}`})`
    return [
      sql`DELETE FROM tennis_competitions WHERE id = ${competition}`,
      sql`${sql.literal(head)} WHERE competition_id = ${competition} ${sql.literal(tail)}`,
    ]
  },
}
