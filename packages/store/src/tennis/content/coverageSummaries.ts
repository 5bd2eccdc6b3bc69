/**
 * Summaries of what the archive covers: matches by tour, circuit and year, the players of each circuit, and the number of
 * players. `doubles` is a circuit here. Its rows change only by imports, which rebuild all summaries.
 */
import type { PgClient } from "@effect/sql-pg"
import type { ArchiveAddition, TennisSummary } from "../summaries/TennisSummary.ts"

/** SQL for the coverage of the matches in `table`, by tour, circuit and year. Further conditions can be added with AND. */
const groupsOf = (table: string): string => `
  SELECT m.tour, m.circuit, extract(year FROM m.match_date)::integer AS year, m.score_problem, min(m.match_date) AS first_date,
    max(m.match_date) AS last_date, count(*)::integer AS matches, count(m.winner_serve_points) AS with_statistics,
    count(m.date_source) AS with_verified_day, max(m.match_date) FILTER (WHERE m.date_source = 'live') AS last_live
  FROM ${table} m WHERE true`

const BY_PROBLEM = "GROUP BY m.tour, m.circuit, year, m.score_problem"

const yearsText = `
  SELECT c.tour, c.circuit, c.year, min(c.first_date), max(c.last_date), sum(c.matches)::integer, sum(c.with_statistics)::integer,
    sum(c.with_verified_day)::integer, max(c.last_live),
    COALESCE(jsonb_object_agg(c.score_problem, c.matches) FILTER (WHERE c.score_problem IS NOT NULL), '{}')
  FROM counted c GROUP BY c.tour, c.circuit, c.year`

const insertYears = `INSERT INTO tennis_coverage_years
  (tour, circuit, year, first_date, last_date, matches, with_statistics, with_verified_day, last_live, problems)`

export const coverageYears: TennisSummary = {
  table: "tennis_coverage_years",
  rebuild: [
    "DELETE FROM tennis_coverage_years",
    `WITH counted AS (${groupsOf("tennis_matches")} ${BY_PROBLEM} UNION ALL ${groupsOf("tennis_doubles_matches")} ${BY_PROBLEM})
      ${insertYears} ${yearsText}`,
    "ANALYZE tennis_coverage_years",
  ],
  update: (sql: PgClient.PgClient, { tour, year }: ArchiveAddition) => [
    sql`DELETE FROM tennis_coverage_years WHERE tour = ${tour} AND year = ${year} AND circuit <> 'doubles'`,
    sql`
      WITH counted AS (${sql.literal(groupsOf("tennis_matches"))}
        AND m.tour = ${tour} AND m.match_date BETWEEN make_date(${year}, 1, 1) AND make_date(${year}, 12, 31) ${sql.literal(BY_PROBLEM)})
      ${sql.literal(insertYears)} ${sql.literal(yearsText)}`,
  ],
}

const insertPlayers = "INSERT INTO tennis_circuit_players (tour, circuit, player_id)"

const doublesPlayers = ["winner1_id", "winner2_id", "loser1_id", "loser2_id"].map(
  (column) => `SELECT tour, circuit, ${column} FROM tennis_doubles_matches`,
)

export const circuitPlayers: TennisSummary = {
  table: "tennis_circuit_players",
  rebuild: [
    "DELETE FROM tennis_circuit_players",
    `${insertPlayers} SELECT DISTINCT tour, circuit, winner_id FROM tennis_matches
      UNION SELECT DISTINCT tour, circuit, loser_id FROM tennis_matches
      UNION ${doublesPlayers.join(" UNION ")}`,
    "ANALYZE tennis_circuit_players",
  ],
  update: (sql: PgClient.PgClient, { playerIds, tour }: ArchiveAddition) => [
    sql`DELETE FROM tennis_circuit_players WHERE tour = ${tour} AND ${sql.in("player_id", playerIds)} AND circuit <> 'doubles'`,
    sql`${sql.literal(insertPlayers)}
      SELECT tour, circuit, winner_id FROM tennis_matches WHERE tour = ${tour} AND ${sql.in("winner_id", playerIds)}
      UNION SELECT tour, circuit, loser_id FROM tennis_matches WHERE tour = ${tour} AND ${sql.in("loser_id", playerIds)}`,
  ],
}

const insertCounts = "INSERT INTO tennis_player_counts (tour, circuit, players)"

/** Rows with an empty circuit count the profiles of the tour, also those of players without a match. */
export const playerCounts: TennisSummary = {
  table: "tennis_player_counts",
  rebuild: [
    "DELETE FROM tennis_player_counts",
    `${insertCounts} SELECT tour, circuit, count(*)::integer FROM tennis_circuit_players GROUP BY tour, circuit
      UNION ALL SELECT tour, '', count(*)::integer FROM tennis_players GROUP BY tour`,
    "ANALYZE tennis_player_counts",
  ],
  update: (sql: PgClient.PgClient, { tour }: ArchiveAddition) => [
    sql`DELETE FROM tennis_player_counts WHERE tour = ${tour}`,
    sql`${sql.literal(insertCounts)}
      SELECT tour, circuit, count(*)::integer FROM tennis_circuit_players WHERE tour = ${tour} GROUP BY tour, circuit
      UNION ALL SELECT tour, '', count(*)::integer FROM tennis_players WHERE tour = ${tour} GROUP BY tour`,
  ],
}
