/**
 * Decides whether simulated tours may be written to the archive, and removes them once there are real
 * matches. Does not write them.
 */
import type { PgClient } from "@effect/sql-pg"
import { type SimulatedRows, simulatedRows } from "@matchpoint/store/simulatedRows"
import { Context, Effect, Layer } from "effect"
import { FIRST_SIMULATED_PLAYER, SIMULATED } from "../rules/archive/simulated.ts"
import { TENNIS } from "../rules/game.ts"

/** Simulated rows must not be mixed with real ones. Does nothing if no simulated tours were written. */
const remove = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const isSimulated = (column: string) => sql`substr(${sql(column)}, 5)::integer >= ${FIRST_SIMULATED_PLAYER}`
  const begun = yield* sql`DELETE FROM imports WHERE game = ${TENNIS} AND source = ${SIMULATED} RETURNING file`
  if (begun.length === 0) return
  yield* sql`DELETE FROM tennis_matches WHERE date_source = ${SIMULATED} OR ${isSimulated("winner_id")}`
  yield* sql`DELETE FROM tennis_doubles_matches WHERE ${isSimulated("winner1_id")}`
  yield* sql`DELETE FROM tennis_players WHERE ${isSimulated("player_id")}`
  yield* sql`DELETE FROM tennis_rankings WHERE ${isSimulated("player_id")}`
  // The summaries are those of the simulated tours, so readers must not use them.
  yield* sql`DELETE FROM tennis_summary_run`
})

export class SimulatedTours extends Context.Service<SimulatedTours, SimulatedRows>()("@matchpoint/tennis/archive/SimulatedTours") {
  static readonly layer = Layer.effect(
    SimulatedTours,
    simulatedRows("SimulatedTours", (sql) => sql`SELECT 1 FROM tennis_matches LIMIT 1`, remove),
  )
}
