/**
 * The words by which players are found, and their weight: the logarithm of the fame (titles, wins, best and current
 * rank) and of the matches. Computed after `tennis_player_summaries`.
 */
import { foldedText } from "@matchpoint/store/names/foldedText"
import { concernedPlayersText } from "./concernedPlayers.ts"
import { idsIn } from "./slices.ts"
import type { TennisSummary } from "./TennisSummary.ts"

/** A part of a name that has several words is also found when it is typed as one word: `delpotro`. */
const joinedText = (part: string): string => `CASE WHEN ${part} LIKE '% %' THEN replace(${foldedText(part)}, ' ', '') || ' ' ELSE '' END`

const spelledText = `CASE WHEN p.name ~ '[^\\u0020-\\u007e]' THEN ${foldedText("p.name", "spelled out")} || ' ' ELSE '' END`

const insertWhere = (condition: string): string => `
  INSERT INTO tennis_player_names (player_id, tour, name, words, weight)
  SELECT p.player_id, p.tour, p.words,
    ' ' || p.words || ' ' || ${spelledText} || COALESCE(${joinedText("p.first_name")}, '') || COALESCE(${joinedText("p.last_name")}, ''),
    ln(1 + p.fame + p.matches / 10.0)
  FROM tennis_player_summaries p WHERE ${condition}`

export const playerNames: TennisSummary = {
  table: "tennis_player_names",
  slicedBy: "players",
  rebuild: (slice) => [`DELETE FROM tennis_player_names WHERE ${idsIn("player_id", slice)}`, insertWhere(idsIn("p.player_id", slice))],
  update: (sql, added) => {
    const concerned = `ANY (ARRAY(${concernedPlayersText(added)}))`
    return [
      sql`${sql.literal(`DELETE FROM tennis_player_names WHERE player_id = ${concerned}`)}`,
      sql`${sql.literal(insertWhere(`p.player_id = ${concerned}`))}`,
    ]
  },
}
