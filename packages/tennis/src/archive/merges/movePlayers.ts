/**
 * Moves the rows of merged players to the remaining ones, at each merge and after each import, because the files of a
 * later import have the merged players again. The ids of matches stay, so that an import finds them again.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"

const columns = [
  ["tennis_matches", ["winner_id", "loser_id"]],
  ["tennis_doubles_matches", ["winner1_id", "winner2_id", "loser1_id", "loser2_id"]],
] as const

/** `merged` is a player, or undefined for all. */
export const movePlayers = Effect.fnUntraced(function* (sql: PgClient.PgClient, merged: string | undefined) {
  const merges = merged === undefined ? sql`tennis_player_merges` : sql`(SELECT * FROM tennis_player_merges WHERE player_id = ${merged})`
  for (const [table, ids] of columns) {
    for (const id of ids) {
      yield* sql`UPDATE ${sql(table)} AS t SET ${sql(id)} = m.into_id FROM ${merges} m WHERE t.${sql(id)} = m.player_id`
    }
  }
  // If both are in a ranking list, the row of the remaining player stays. A merge is rejected in this case, but a later
  // import may add such a list.
  yield* sql`
    UPDATE tennis_rankings AS t SET player_id = m.into_id FROM ${merges} m
    WHERE t.player_id = m.player_id AND NOT EXISTS (
      SELECT FROM tennis_rankings kept WHERE kept.player_id = m.into_id AND kept.ranking_date = t.ranking_date)`
  yield* sql`DELETE FROM tennis_rankings AS t USING ${merges} m WHERE t.player_id = m.player_id`
  yield* sql`DELETE FROM tennis_players AS t USING ${merges} m WHERE t.player_id = m.player_id`
})
