/** Counts for the leaderboards, per player, season and surface. */
import type { PgClient } from "@effect/sql-pg"
import { daysIn, yearsIn } from "../summaries/slices.ts"
import type { ArchiveAddition, TennisSummary } from "../summaries/TennisSummary.ts"
import { factsText, playerMatchesText, seasonText, sumColumns, sumsText } from "./playerSums.ts"

/** Rows with an empty surface count all matches, also those whose surface is unknown. */
const grouped = `
  SELECT p.tour, p.season, COALESCE(p.surface, ''), p.player_id, ${sumsText} FROM ${playerMatchesText} p
  GROUP BY GROUPING SETS ((p.tour, p.season, p.player_id), (p.tour, p.season, p.player_id, p.surface))
  HAVING GROUPING(p.surface) = 1 OR p.surface IS NOT NULL`

const insertText = `INSERT INTO tennis_season_boards (tour, season, surface, player_id, ${sumColumns.join(", ")})`

/** An added final may change whether another match of its tournament is the final, so the whole season is computed. */
const update = (sql: PgClient.PgClient, { tour, tournamentId, year }: ArchiveAddition) => {
  const season = /^\d{4}-/u.test(tournamentId) ? Number(tournamentId.slice(0, 4)) : year
  const near = sql`m.tour = ${tour} AND m.match_date BETWEEN make_date(${season - 1}, 12, 1) AND make_date(${season + 1}, 1, 31)`
  return [
    sql`DELETE FROM tennis_season_boards WHERE tour = ${tour} AND season = ${season}`,
    sql`
      WITH facts AS (${sql.literal(factsText)} AND ${near} AND ${sql.literal(seasonText("m"))} = ${season})
      ${sql.literal(insertText)} ${sql.literal(grouped)}`,
  ]
}

/** Most years between the date of a match and the season in the id of its tournament. A few dates of archives are wrong. */
const YEARS_AROUND = 2

export const seasonBoards: TennisSummary = {
  table: "tennis_season_boards",
  slicedBy: "years",
  rebuild: (slice) => [
    `DELETE FROM tennis_season_boards WHERE ${yearsIn("season", slice)}`,
    `WITH facts AS (${factsText} AND ${daysIn("m.match_date", slice, YEARS_AROUND)} AND ${yearsIn(`(${seasonText("m")})`, slice)})
      ${insertText} ${grouped}`,
  ],
  update,
}
