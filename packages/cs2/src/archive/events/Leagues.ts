/** Reads leagues. A league consists of its editions: events whose names differ only by year, season or number. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { EventRow } from "../../contract/http/data/models.ts"
import { eventJson } from "../fragments.ts"

export class Leagues extends Context.Service<
  Leagues,
  {
    /** The newest edition of each league, latest start first. With `from`, no editions that ended before that time. */
    readonly list: (
      window: PageWindow & { readonly from?: Date | undefined },
    ) => Effect.Effect<Listed<EventRow>, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/events/Leagues") {
  static readonly layer = Layer.effect(
    Leagues,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const newest = sql.literal(`
        SELECT DISTINCT ON (league_key) event_number FROM cs2_events
        ORDER BY league_key, starts_at DESC NULLS LAST, event_number DESC`)

      const within = (from: Date | undefined) =>
        sql.and([
          sql`e.event_number IN (${newest})`,
          ...(from === undefined ? [] : [sql`(COALESCE(e.ends_at, e.starts_at) >= ${from} OR COALESCE(e.ends_at, e.starts_at) IS NULL)`]),
        ])

      return Leagues.of({
        list: (window) =>
          readList(
            sql,
            {
              model: EventRow,
              order: PLAYED_LAST,
              from: sql`cs2_events e WHERE ${within(window.from)}`,
              of: "cs2_events e",
              key: ["event_number"],
              row: eventJson(sql, "e"),
            },
            window,
            { name: "Leagues.list", timeout },
          ),
      })
    }),
  )
}

const PLAYED_LAST: Order = {
  name: "leagues-played-last",
  keys: [
    { of: "e.starts_at", type: "timestamptz", descending: true, nullable: true },
    { of: "e.event_number", type: "bigint", descending: true },
  ],
}
