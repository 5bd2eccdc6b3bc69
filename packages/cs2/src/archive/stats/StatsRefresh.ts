/**
 * Recomputes the statistics tables every hour, and earlier if a writer has requested it. At most one process per
 * database computes at a time: the one that has claimed the row of the state table. If it dies, another one may claim
 * the row after 10 minutes. The rows of one statistics table for one time window are replaced atomically, so readers
 * see either the old numbers or the new ones. On PGlite, which runs one statement at a time, other statements wait at
 * most as long as one such replacement takes.
 */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { holdUntilCommit } from "@matchpoint/store/database/advisoryLock"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { type StatsTable, statsTables } from "./measured.ts"
import { KEPT_WINDOWS, type StatsWindow, windowKey } from "./window.ts"

export interface StatsState {
  /** Time as of which the statistics were computed, epoch ms. Null if they never were. */
  readonly refreshedAt: number | null
  readonly recomputing: boolean
  /** True if the statistics are older than twice the regular interval, or have never been computed. */
  readonly stale: boolean
}

/** Interval between regular recomputations. */
const EVERY = Duration.hours(1)
const STALE_AFTER = 2 * Duration.toMillis(EVERY)

/** After this many milliseconds, a computing process is considered dead and another one may take over. */
const LOST_AFTER = Duration.toMillis(Duration.minutes(10))

/** Timeout for computing one statistics table for one time window. */
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
    /** Recomputes now. If another process is computing, returns `busy` and requests that `refreshIfDue` recomputes later. */
    readonly refresh: Effect.Effect<"refreshed" | "busy", StoreError>
    /** Recomputes if the interval has elapsed or a recomputation has been requested. Otherwise returns `fresh`. */
    readonly refreshIfDue: Effect.Effect<"refreshed" | "busy" | "fresh", StoreError>
    /** The next `refreshIfDue` will recompute. Cheap; joins the caller's transaction if there is one. */
    readonly request: Effect.Effect<void, StoreError>
    readonly state: Effect.Effect<StatsState, StoreError>
  }
>()("@matchpoint/cs2/archive/stats/StatsRefresh") {
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
      // A migration creates the state row, so a missing row is a bug.
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
          // A process that is considered dead may still be computing. The lock makes it and its successor replace the
          // rows one after the other.
          yield* holdUntilCommit(sql, "cs2.stats")
          yield* sql`DELETE FROM ${sql(name)} WHERE window_days = ${windowKey(window)}`
          yield* sql`
            INSERT INTO ${sql(name)} (window_days, ${sql.literal(columns)})
            SELECT ${windowKey(window)}::integer, ${sql.literal(columns)} FROM (${measures(sql, window)}) measured`
        }).pipe(sql.withTransaction)

      const computed = Effect.fnUntraced(function* (holder: string, now: number) {
        const monotonic = monotonicOf(yield* Clock.Clock)
        const begunAt = monotonic()
        for (const one of tables) {
          for (const days of KEPT_WINDOWS) yield* step(one, { days, now })
          // All rows have just been replaced, and PGlite has no autovacuum.
          yield* sql`VACUUM (ANALYZE) ${sql(one.name)}`
        }
        const took = Math.round(monotonic() - begunAt)
        yield* sql`UPDATE cs2_stats_state SET refreshed_at = ${dateOf(now)}, took_ms = ${took} WHERE holder = ${holder}`
      })

      const release = (holder: string) =>
        Effect.ignore(sql`UPDATE cs2_stats_state SET holder = NULL WHERE holder = ${holder}`, {
          log: "Warn",
          message: "could not release the statistics state; the next computation can start 10 minutes after this one started",
        })

      const request = Effect.flatMap(Clock.currentTimeMillis, (now) => sql`UPDATE cs2_stats_state SET requested_at = ${dateOf(now)}`)

      /** Releases the state row even if it is interrupted between the claim in the database and the database's reply. */
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
        // biome-ignore lint/plugin: compared with times in the database
        const now = yield* Clock.currentTimeMillis
        const { refreshedAt, requestedAt } = yield* row
        const due =
          refreshedAt === null ||
          now - refreshedAt >= Duration.toMillis(EVERY) ||
          // Also due if both times are equal: the computation may have missed a write in the same millisecond.
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
            // biome-ignore lint/plugin: compared with times in the database
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

const dateOf = (ms: number): Date => new Date(ms)
