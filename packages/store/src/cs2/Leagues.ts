/** Reads leagues: events whose names differ by year, season or number only are editions of one. */
import { PgClient } from "@effect/sql-pg"
import { EventRow } from "@matchpoint/contracts/http/cs2/data/models"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { eventJson } from "./fragments.ts"
import type { Rows } from "./MatchArchive.ts"

export class Leagues extends Context.Service<
  Leagues,
  {
    /** The newest edition of each, the league that was played last first. */
    readonly list: (page: { readonly limit: number; readonly offset: number }) => Effect.Effect<Rows<EventRow>, StoreError>
  }
>()("@matchpoint/store/cs2/Leagues") {
  static readonly layer = Layer.effect(
    Leagues,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const select = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Natural, offset: Schema.Natural }),
        Result: Schema.Struct({ row: EventRow }),
        execute: (page) => sql`
          SELECT ${eventJson(sql, "e")} AS row
          FROM (
            SELECT DISTINCT ON (league_key) event_number FROM cs2_events
            ORDER BY league_key, starts_at DESC NULLS LAST, event_number DESC
          ) newest
          JOIN cs2_events e ON e.event_number = newest.event_number
          ORDER BY e.starts_at DESC NULLS LAST, e.event_number DESC LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const count = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ total: Counter }),
        execute: () => sql`SELECT count(DISTINCT league_key) AS total FROM cs2_events`,
      })

      return Leagues.of({
        list: Effect.fn("Leagues.list")(
          function* (page) {
            const found = yield* select({ limit: page.limit, offset: page.offset })
            const [{ total }] = yield* Effect.catchTag(count(), "NoSuchElementError", Effect.die)
            return { rows: found.map(({ row }) => row), total }
          },
          storeOperation("Leagues.list", limit),
        ),
      })
    }),
  )
}
