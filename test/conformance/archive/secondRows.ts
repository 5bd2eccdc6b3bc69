/**
 * A second row for the lists of which the sample archive has only one, so that they have a second page. Numbers end in
 * 9.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const DAY = 86_400_000

/** Inserts the rows into the sample archive. `now`: epoch ms. */
export const secondRows = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  const at = (days: number) => new Date(now + days * DAY).toISOString()
  const provenance = { source: "sample", last_synced_at: at(-1), confidence: "high", data_quality: "partial" }
  const event = (event_number: number, name: string, days: readonly [number, number]) => ({
    event_number,
    name,
    name_key: name.toLowerCase(),
    slug: name.toLowerCase(),
    starts_at: at(days[0]),
    ends_at: at(days[1]),
    ...provenance,
  })
  yield* sql`INSERT INTO cs2_events ${sql.insert([
    event(119, "Autumn", [-20, -15]),
    event(129, "Evening", [-2, 3]),
    event(139, "Tomorrow", [2, 4]),
  ])}`
  yield* sql`INSERT INTO cs2_series ${sql.insert([
    {
      match_number: 1009,
      event_number: 11,
      stage_name: "Semi-final",
      status: "completed",
      starts_at: at(-41),
      ends_at: at(-40.9),
      best_of: 3,
      team1_number: 1,
      team2_number: 3,
      team1_score: 2,
      team2_score: 0,
      winner_team_number: 1,
      ...provenance,
    },
  ])}`
  const move = (transfer_key: string, from_team_number: number, to_team_number: number, days: number) => ({
    transfer_key,
    player_number: 101,
    from_team_number,
    to_team_number,
    status: "transferred",
    role: "player",
    transferred_at: at(days),
    detected_at: at(days),
    computed: true,
  })
  yield* sql`INSERT INTO cs2_transfers ${sql.insert([move("there", 1, 3, -200), move("back", 3, 1, -100)])}`
})
