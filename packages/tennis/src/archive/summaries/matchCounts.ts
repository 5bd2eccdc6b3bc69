/**
 * Singles matches per year, tour, circuit, level, surface and round. Counting a million rows for totals takes too long.
 */
import { daysIn, yearsIn } from "./slices.ts"
import type { TennisSummary } from "./TennisSummary.ts"

/** Besides tour and year. `*` stands for all values, and an empty text for a missing one. */
export const countedColumns = ["circuit", "level", "surface", "round"] as const

const insert = `
  INSERT INTO tennis_match_counts (tour, year, ${countedColumns.join(", ")}, matches)
  SELECT tour, year, ${countedColumns.map((column) => `CASE GROUPING(${column}) WHEN 1 THEN '*' ELSE ${column} END`).join(", ")}, sum(matches)
  FROM (
    SELECT tour, extract(year FROM match_date)::smallint AS year, circuit, COALESCE(level, '') AS level,
      COALESCE(surface, '') AS surface, round, count(*) AS matches
    FROM tennis_matches WHERE`
const grouped = `GROUP BY 1, 2, 3, 4, 5, 6) AS cells GROUP BY tour, year, CUBE (${countedColumns.join(", ")})`

export const matchCounts: TennisSummary = {
  table: "tennis_match_counts",
  slicedBy: "years",
  rebuild: (slice) => [
    `DELETE FROM tennis_match_counts WHERE ${yearsIn("year", slice)}`,
    `${insert} ${daysIn("match_date", slice)} ${grouped}`,
  ],
  update: (sql, { tour, year }) => [
    sql`DELETE FROM tennis_match_counts WHERE tour = ${tour} AND year = ${year}`,
    sql`${sql.literal(insert)} tour = ${tour} AND match_date BETWEEN make_date(${year}, 1, 1) AND make_date(${year}, 12, 31)
      ${sql.literal(grouped)}`,
  ],
}
