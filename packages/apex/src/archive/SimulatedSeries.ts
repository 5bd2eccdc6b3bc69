/**
 * Decides whether a simulated season may be written to the archive, and removes it once there are real
 * series. Does not write it.
 */
import type { PgClient } from "@effect/sql-pg"
import { type SimulatedRows, simulatedRows } from "@matchpoint/store/simulatedRows"
import { Context, Effect, Layer } from "effect"
import { SIMULATED } from "../rules/archive/simulated.ts"
import { APEX } from "../rules/game.ts"

/** Simulated rows must not be mixed with real ones. Does nothing if no simulated season was written. */
const remove = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const begun = yield* sql`DELETE FROM imports WHERE game = ${APEX} AND source = ${SIMULATED} RETURNING file`
  if (begun.length === 0) return
  yield* sql`DELETE FROM apex_player_totals WHERE tournament_id IN
    (SELECT tournament_id FROM apex_tournaments WHERE source = ${SIMULATED})`
  for (const table of ["apex_series", "apex_tournaments", "apex_players", "apex_transactions"]) {
    yield* sql`DELETE FROM ${sql(table)} WHERE source = ${SIMULATED}`
  }
})

export class SimulatedSeries extends Context.Service<SimulatedSeries, SimulatedRows>()("@matchpoint/apex/archive/SimulatedSeries") {
  static readonly layer = Layer.effect(
    SimulatedSeries,
    simulatedRows("SimulatedSeries", (sql) => sql`SELECT 1 FROM apex_series LIMIT 1`, remove),
  )
}
