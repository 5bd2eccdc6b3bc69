/** Matches by tour, circuit (or `doubles`) and year, and numbers of players. Only imports change the rows. */
import type { PgClient } from "@effect/sql-pg"
import { daysIn, idsIn, yearsIn } from "../summaries/slices.ts"
import type { ArchiveAddition, TennisSummary } from "../summaries/TennisSummary.ts"

/** Coverage of the matches in `table`. Further conditions can be added with AND. */
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
  slicedBy: "years",
  rebuild: (slice) => {
    const counted = ["tennis_matches", "tennis_doubles_matches"].map(
      (table) => `${groupsOf(table)} AND ${daysIn("m.match_date", slice)} ${BY_PROBLEM}`,
    )
    return [
      `DELETE FROM tennis_coverage_years WHERE ${yearsIn("year", slice)}`,
      `WITH counted AS (${counted.join(" UNION ALL ")}) ${insertYears} ${yearsText}`,
    ]
  },
  update: (sql: PgClient.PgClient, { tour, year }: ArchiveAddition) => [
    sql`DELETE FROM tennis_coverage_years WHERE tour = ${tour} AND year = ${year} AND circuit <> 'doubles'`,
    sql`
      WITH counted AS (${sql.literal(groupsOf("tennis_matches"))}
        AND m.tour = ${tour} AND m.match_date BETWEEN make_date(${year}, 1, 1) AND make_date(${year}, 12, 31) ${sql.literal(BY_PROBLEM)})
      ${sql.literal(insertYears)} ${sql.literal(yearsText)}`,
  ],
}

const insertPlayers = "INSERT INTO tennis_circuit_players (tour, circuit, player_id)"

const doublesPlayers = ["winner1_id", "winner2_id", "loser1_id", "loser2_id"]

export const circuitPlayers: TennisSummary = {
  table: "tennis_circuit_players",
  slicedBy: "players",
  // The sums by year have a row for every singles match of a player, and far fewer rows than the matches.
  rebuild: (slice) => [
    `DELETE FROM tennis_circuit_players WHERE ${idsIn("player_id", slice)}`,
    `${insertPlayers} SELECT DISTINCT split_part(player_id, '_', 1), circuit, player_id FROM tennis_player_years
      WHERE ${idsIn("player_id", slice)} ${doublesPlayers
        .map((column) => `UNION SELECT tour, circuit, ${column} FROM tennis_doubles_matches WHERE ${idsIn(column, slice)}`)
        .join(" ")}`,
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
  slicedBy: "nothing",
  rebuild: () => [
    "DELETE FROM tennis_player_counts",
    `${insertCounts} SELECT tour, circuit, count(*)::integer FROM tennis_circuit_players GROUP BY tour, circuit
      UNION ALL SELECT tour, '', count(*)::integer FROM tennis_players GROUP BY tour`,
  ],
  update: (sql: PgClient.PgClient, { tour }: ArchiveAddition) => [
    sql`DELETE FROM tennis_player_counts WHERE tour = ${tour}`,
    sql`${sql.literal(insertCounts)}
      SELECT tour, circuit, count(*)::integer FROM tennis_circuit_players WHERE tour = ${tour} GROUP BY tour, circuit
      UNION ALL SELECT tour, '', count(*)::integer FROM tennis_players WHERE tour = ${tour} GROUP BY tour`,
  ],
}
