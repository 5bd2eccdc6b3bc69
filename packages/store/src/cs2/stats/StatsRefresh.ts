/**
 * Keeps the tables of statistics up with the archive: hourly, and when a writer has said that there is something new. One computes for
 * all processes on a database: whoever holds the row of state, which a process that died loses after a while. Readers see the numbers
 * from before until those of a table and window are there, all at once; statements of others wait for one table at most (PGlite).
 */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"
import { type StatsTable, statsTables } from "./measured.ts"
import { KEPT_WINDOWS, type StatsWindow, windowKey } from "./window.ts"

export interface StatsState {
  /** As of when the numbers are, epoch ms; null: they have never been computed. */
  readonly refreshedAt: number | null
  readonly recomputing: boolean
  /** They are older than two rounds of the clock. */
  readonly stale: boolean
}

/** How often they are computed anew without anybody asking. */
const EVERY = Duration.hours(1)
const STALE_AFTER = 2 * Duration.toMillis(EVERY)

/** A holder that has not finished by then is gone. */
const LOST_AFTER = Duration.toMillis(Duration.minutes(10))

/** For one table and window. */
const STEP_LIMIT = Duration.minutes(1)

const tables: ReadonlyArray<StatsTable> = Object.values(statsTables)

const StateRow = Schema.Struct({
  refreshedAt: Schema.NullOr(Schema.Finite),
  requestedAt: Schema.NullOr(Schema.Finite),
  startedAt: Schema.NullOr(Schema.Finite),
  held: Schema.Boolean,
})

export class StatsRefresh extends Context.Service<
  StatsRefresh,
  {
    /** Computes everything now; `busy`: somebody is at it, and what was asked for is remembered. */
    readonly refresh: Effect.Effect<"refreshed" | "busy", StoreError>
    /** The same when the hour is over or something was asked for since the last time; `fresh` otherwise. */
    readonly refreshIfDue: Effect.Effect<"refreshed" | "busy" | "fresh", StoreError>
    /** There is something new: whoever looks next computes. Cheap; part of the writer's transaction when called in one. */
    readonly request: Effect.Effect<void, StoreError>
    readonly state: Effect.Effect<StatsState, StoreError>
  }
>()("@matchpoint/store/cs2/stats/StatsRefresh") {
  static readonly layer = Layer.effect(
    StatsRefresh,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const selectState = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: StateRow,
        execute: () => sql`
          SELECT ${sql.literal(["refreshed", "requested", "started"].map((at) => `${epochMs(`${at}_at`)} AS "${at}At"`).join(", "))},
            holder IS NOT NULL AS held
          FROM cs2_stats_state`,
      })
      // The migration made the row.
      const row = Effect.map(Effect.catchTag(selectState(), "NoSuchElementError", Effect.die), ([state]) => state)

      const claim = (holder: string, now: number) =>
        Effect.map(
          sql`
            UPDATE cs2_stats_state SET holder = ${holder}, started_at = ${dateOf(now)}
            WHERE holder IS NULL OR started_at < ${dateOf(now - LOST_AFTER)}
            RETURNING only_row`,
          (claimed) => claimed.length > 0,
        )

      const step = ({ columns, measures, name }: StatsTable, window: StatsWindow) =>
        Effect.gen(function* () {
          yield* sql`SET LOCAL statement_timeout = ${sql.literal(String(Duration.toMillis(STEP_LIMIT)))}`
          // A holder that was taken for lost may still be at it: one after the other, not both.
          yield* sql`SELECT pg_advisory_xact_lock(hashtext('matchpoint.cs2.stats'))`
          yield* sql`DELETE FROM ${sql(name)} WHERE window_days = ${windowKey(window)}`
          yield* sql`
            INSERT INTO ${sql(name)} (window_days, ${sql.literal(columns)})
            SELECT ${windowKey(window)}::integer, ${sql.literal(columns)} FROM (${measures(sql, window)}) measured`
        }).pipe(sql.withTransaction)

      const computed = Effect.fnUntraced(function* (holder: string, now: number) {
        for (const one of tables) {
          for (const days of KEPT_WINDOWS) yield* step(one, { days, now })
          // All rows came and went at once: what went is cleared, and the planner told, now. On PGlite nobody else does.
          yield* sql`VACUUM (ANALYZE) ${sql(one.name)}`
        }
        const took = (yield* Clock.currentTimeMillis) - now
        yield* sql`UPDATE cs2_stats_state SET refreshed_at = ${dateOf(now)}, took_ms = ${took} WHERE holder = ${holder}`
      })

      const release = (holder: string) =>
        Effect.ignore(sql`UPDATE cs2_stats_state SET holder = NULL WHERE holder = ${holder}`, {
          log: "Warn",
          message: "the statistics stay held until their holder is taken for lost",
        })

      const request = Effect.flatMap(Clock.currentTimeMillis, (now) => sql`UPDATE cs2_stats_state SET requested_at = ${dateOf(now)}`)

      /** Whoever is interrupted lets go, also when it happens between the database's claim and its word of it. */
      const refresh = Effect.gen(function* () {
        const holder = randomUUID()
        const now = yield* Clock.currentTimeMillis
        return yield* Effect.acquireUseRelease(
          Effect.onError(claim(holder, now), () => release(holder)),
          (claimed) => (claimed ? Effect.as(computed(holder, now), "refreshed" as const) : Effect.as(request, "busy" as const)),
          (claimed) => (claimed ? release(holder) : Effect.void),
        )
      })

      const refreshIfDue = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { refreshedAt, requestedAt } = yield* row
        const due =
          refreshedAt === null ||
          now - refreshedAt >= Duration.toMillis(EVERY) ||
          // What was written in the very millisecond may have been seen or not.
          (requestedAt !== null && requestedAt >= refreshedAt)
        return due ? yield* refresh : ("fresh" as const)
      })

      const all = Duration.times(STEP_LIMIT, tables.length)
      return StatsRefresh.of({
        refresh: Effect.withSpan(storeOperation("StatsRefresh.refresh", all)(refresh), "StatsRefresh.refresh"),
        refreshIfDue: Effect.withSpan(storeOperation("StatsRefresh.refreshIfDue", all)(refreshIfDue), "StatsRefresh.refreshIfDue"),
        request: Effect.asVoid(storeOperation("StatsRefresh.request", limit)(request)),
        state: storeOperation(
          "StatsRefresh.state",
          limit,
        )(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const { held, refreshedAt, startedAt } = yield* row
            return {
              refreshedAt,
              recomputing: held && startedAt !== null && now - startedAt < LOST_AFTER,
              stale: refreshedAt === null || now - refreshedAt > STALE_AFTER,
            }
          }),
        ),
      })
    }),
  )
}

const epochMs = (column: string): string => `floor(extract(epoch FROM ${column}) * 1000)::double precision`

/** Of epoch ms. */
const dateOf = (ms: number): Date => new Date(ms)
