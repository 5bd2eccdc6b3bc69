/**
 * Corrects matches and events that sources have stopped reporting: cancels announced matches that were never played,
 * and sets an end date for events without one. A later report overrides the correction, for example if a match is
 * postponed.
 */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { dateEvents } from "../writer/upkeep.ts"

export interface Settled {
  readonly cancelled: number
  /** Events for which an end date was set. */
  readonly ended: number
}

export class Calendar extends Context.Service<
  Calendar,
  {
    /**
     * Cancels matches that should have started 12 hours ago, or 36 hours ago if only their day is known. Ends events
     * without end date whose start and last match are more than 7 days ago: with the last match or, if there is none,
     * with the start. Running this again changes nothing.
     */
    readonly settle: Effect.Effect<Settled, StoreError>
  }
>()("@matchpoint/cs2/archive/upkeep/Calendar") {
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
        // Cancelled matches must no longer extend the duration of an event.
        yield* dateEvents(sql, [...new Set(cancelled.flatMap(({ event }) => event ?? []))], [])
        const ended = yield* end()
        return { cancelled: cancelled.length, ended: ended.length }
      })

      return Calendar.of({
        settle: settle.pipe(sql.withTransaction, storeEffect("Calendar.settle", limit)),
      })
    }),
  )
}

/** Matches are never delayed this much, and for postponed matches, sources report a new time. */
const GIVEN_UP_AFTER = "12 hours"

/** An event is over this long after its last match. Longer than any plausible break within a tournament. */
const OVER_AFTER = "7 days"
