/** Summary `tennis_player_years`: sums of the matches of each player by year, circuit, level and surface. */
import { allPlayerYears, playerYears, yearColumns } from "../players/playerYears.ts"
import type { TennisSummary } from "./TennisSummary.ts"

const insert = `INSERT INTO tennis_player_years (${yearColumns.join(", ")})`

export const playerYearSums: TennisSummary = {
  table: "tennis_player_years",
  rebuild: ["DELETE FROM tennis_player_years", `${insert} ${allPlayerYears()}`],
  // A second final makes a tournament a team competition, so the sums of the players of its finals may change too.
  update: (sql, { playerIds, tour, tournamentId, year }) => {
    const concerned = sql`(
      SELECT unnest(${[...playerIds]}::text[]) UNION
      SELECT unnest(ARRAY[f.winner_id, f.loser_id]) FROM tennis_matches f
      WHERE f.tour = ${tour} AND f.tournament_id = ${tournamentId} AND f.round = 'F')`
    return [
      sql`DELETE FROM tennis_player_years WHERE year = ${year} AND player_id IN ${concerned}`,
      sql`${sql.literal(insert)} ${playerYears(
        sql,
        sql`(m.winner_id IN ${concerned} OR m.loser_id IN ${concerned})
          AND m.match_date BETWEEN make_date(${year}, 1, 1) AND make_date(${year}, 12, 31)`,
        sql`side.player_id IN ${concerned}`,
      )}`,
    ]
  },
}
