/**
 * Keeps the calendar honest where sources fall silent: matches that were announced and never played, and events whose end nobody told.
 * What a source tells later wins again: a match that is put off to another day, or begins after all, is what it says.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"
import { dateEvents } from "../writer/upkeep.ts"

export interface Settled {
  /** Matches that are `cancelled` from now on. */
  readonly cancelled: number
  /** Events that have an end from now on. */
  readonly ended: number
}

export class Calendar extends Context.Service<
  Calendar,
  {
    /**
     * A match that should have begun 12 hours ago (36 where only the day is known) counts as cancelled. An event without an end that
     * began, and had its last match, more than 7 days ago, ended with that match. Again, it changes nothing.
     */
    readonly settle: Effect.Effect<Settled, StoreError>
  }
>()("@matchpoint/store/cs2/upkeep/Calendar") {
  static readonly layer = Layer.effect(
    Calendar,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const cancel = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ event: Schema.NullOr(Counter) }),
        execute: () => sql`
          UPDATE cs2_series SET status = 'cancelled', last_synced_at = now()
          WHERE status = 'upcoming' AND starts_at < now() - ${GIVEN_UP_AFTER}::interval
            AND (starts_precision = 'minute' OR starts_at < now() - ${GIVEN_UP_AFTER}::interval - interval '24 hours')
          RETURNING event_number AS event`,
      })

      const end = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ event: Counter }),
        execute: () => sql`
          UPDATE cs2_events e SET ends_at = greatest(e.starts_at, played.last_at), last_synced_at = now()
          FROM (
            SELECT o.event_number, max(COALESCE(s.ends_at, s.starts_at)) AS last_at
            FROM cs2_events o LEFT JOIN cs2_series s USING (event_number)
            WHERE o.ends_at IS NULL AND o.starts_at < now() - ${OVER_AFTER}::interval
            GROUP BY o.event_number) played
          WHERE e.event_number = played.event_number
            AND (played.last_at IS NULL OR played.last_at < now() - ${OVER_AFTER}::interval)
          RETURNING e.event_number AS event`,
      })

      const settle = Effect.gen(function* () {
        const cancelled = yield* cancel()
        // What is not played any more does not make its event longer.
        yield* dateEvents(sql, [...new Set(cancelled.flatMap(({ event }) => event ?? []))], [])
        const ended = yield* end()
        return { cancelled: cancelled.length, ended: ended.length }
      })

      return Calendar.of({
        settle: settle.pipe(sql.withTransaction, storeOperation("Calendar.settle", limit), Effect.withSpan("Calendar.settle")),
      })
    }),
  )
}

/** No match is as late as that; whoever puts one off tells a new time. */
const GIVEN_UP_AFTER = "12 hours"

/** The longest break between two days of a tournament that people still call one. */
const OVER_AFTER = "7 days"
