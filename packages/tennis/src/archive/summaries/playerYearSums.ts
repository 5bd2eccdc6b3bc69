import { playerYears, playerYearsText, yearColumns } from "../players/playerYears.ts"
import { concernedPlayersText } from "./concernedPlayers.ts"
import { daysIn, yearsIn } from "./slices.ts"
import type { TennisSummary } from "./TennisSummary.ts"

const insert = `INSERT INTO tennis_player_years (${yearColumns.join(", ")})`

export const playerYearSums: TennisSummary = {
  table: "tennis_player_years",
  slicedBy: "years",
  rebuild: (slice) => [
    `DELETE FROM tennis_player_years WHERE ${yearsIn("year", slice)}`,
    `${insert} ${playerYearsText(daysIn("m.match_date", slice))}`,
  ],
  update: (sql, added) => {
    const { year } = added
    const concerned = sql`ANY (ARRAY(${sql.literal(concernedPlayersText(added))}))`
    return [
      sql`DELETE FROM tennis_player_years WHERE year = ${year} AND player_id = ${concerned}`,
      sql`${sql.literal(insert)} ${playerYears(
        sql,
        sql`(m.winner_id = ${concerned} OR m.loser_id = ${concerned})
          AND m.match_date BETWEEN make_date(${year}, 1, 1) AND make_date(${year}, 12, 31)`,
        sql`side.player_id = ${concerned}`,
      )}`,
    ]
  },
}
