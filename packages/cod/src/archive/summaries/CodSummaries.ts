/** Keeps the tables that are computed from the archive up to date: standings, sums of players, names and analytics. */
import { PgClient } from "@effect/sql-pg"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { writeAnalytics } from "../analytics/writeAnalytics.ts"
import { writeNames } from "./names.ts"
import { writePlayers } from "./players.ts"
import { writeStandings } from "./standings.ts"

const decodeSeasons = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ season: Schema.Int })))

export class CodSummaries extends Context.Service<
  CodSummaries,
  {
    /** Computes all summaries again, and removes those of seasons that are no longer in the archive. */
    readonly rebuild: Effect.Effect<void, StoreError>
    /** Computes the summaries of a season again, for example after a live match was added. Takes milliseconds. */
    readonly refresh: (season: number) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/cod/archive/summaries/CodSummaries") {
  static readonly layer = Layer.effect(
    CodSummaries,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const write = Effect.fnUntraced(function* (seasons: ReadonlyArray<number>) {
        yield* writeStandings(sql, seasons)
        yield* writePlayers(sql, seasons)
        yield* writeAnalytics(sql, seasons)
        yield* writeNames(sql)
      })

      return CodSummaries.of({
        rebuild: Effect.gen(function* () {
          // One process at a time computes the sums.
          yield* holdUntilCommit(sql, "cod.summaries")
          const stored = yield* Effect.flatMap(
            sql`
              SELECT season FROM cod_tournaments UNION SELECT season FROM cod_standings
              UNION SELECT season FROM cod_player_seasons UNION SELECT season FROM cod_player_teams WHERE season > 0
              UNION SELECT season FROM cod_player_facts UNION SELECT season FROM cod_team_maps WHERE season > 0`,
            decodeSeasons,
          )
          yield* write(stored.map(({ season }) => season))
        }).pipe(sql.withTransaction, storeEffect("CodSummaries.rebuild", limit)),
        refresh: storeFn(
          "CodSummaries.refresh",
          limit,
          Effect.fnUntraced(function* (season) {
            yield* holdUntilCommit(sql, "cod.summaries")
            yield* write([season])
          }, sql.withTransaction),
        ),
      })
    }),
  )
}
