/**
 * Decides whether simulated tours may be written to the archive, and removes them once it has real matches. Does not
 * write them.
 */
import { PgClient } from "@effect/sql-pg"
import { FIRST_SIMULATED_PLAYER, SIMULATED } from "@matchpoint/domain/tennis/archive/simulated"
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { Context, Effect, Layer } from "effect"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"

export class SimulatedTours extends Context.Service<
  SimulatedTours,
  {
    /** True if the archive has no singles match. */
    readonly isArchiveEmpty: Effect.Effect<boolean, StoreError>
    /**
     * Removes simulated matches, players and rankings, so that they are not mixed with real ones. Does nothing if no
     * simulated tours were written.
     */
    readonly remove: Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/tennis/SimulatedTours") {
  static readonly layer = Layer.effect(
    SimulatedTours,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const isSimulated = (column: string) => sql`substr(${sql(column)}, 5)::integer >= ${FIRST_SIMULATED_PLAYER}`

      return SimulatedTours.of({
        isArchiveEmpty: sql`SELECT 1 FROM tennis_matches LIMIT 1`.pipe(
          Effect.map((rows) => rows.length === 0),
          storeOperation("SimulatedTours.isArchiveEmpty", limit),
          Effect.withSpan("SimulatedTours.isArchiveEmpty"),
        ),
        remove: Effect.gen(function* () {
          const begun = yield* sql`DELETE FROM imports WHERE game = ${TENNIS} AND source = ${SIMULATED} RETURNING file`
          if (begun.length === 0) return
          yield* sql`DELETE FROM tennis_matches WHERE date_source = ${SIMULATED} OR ${isSimulated("winner_id")}`
          yield* sql`DELETE FROM tennis_doubles_matches WHERE ${isSimulated("winner1_id")}`
          yield* sql`DELETE FROM tennis_players WHERE ${isSimulated("player_id")}`
          yield* sql`DELETE FROM tennis_rankings WHERE ${isSimulated("player_id")}`
        }).pipe(sql.withTransaction, storeOperation("SimulatedTours.remove", limit), Effect.withSpan("SimulatedTours.remove")),
      })
    }),
  )
}
