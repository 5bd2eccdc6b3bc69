/** Tests when statistics are computed, by which process, and the reported state, on every driver. */
import { setTimeout as delay } from "node:timers/promises"
import { assert, layer } from "@effect/vitest"
import { atTime } from "@matchpoint/testing/atTime"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { StatsRefresh } from "../../src/archive/stats/StatsRefresh.ts"
import { TeamAndMapStats } from "../../src/archive/stats/TeamAndMapStats.ts"
import { type ArchiveIt, SAMPLE_NOW, sampled } from "./sampled.ts"

const MINUTE = 60_000

/** Resets the state to before the first computation. */
const forgotten = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE cs2_stats_state SET holder = NULL, requested_at = NULL, started_at = NULL, refreshed_at = NULL`
  yield* sql`DELETE FROM cs2_stats_maps`
})

const held = (startedAt: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE cs2_stats_state SET holder = ${"00000000-0000-4000-8000-000000000001"}, started_at = ${new Date(startedAt)}`,
  )

const mapsPlayed = Effect.flatMap(TeamAndMapStats, (scene) =>
  Effect.map(scene.maps({ window: { days: null, now: SAMPLE_NOW }, minMaps: 0, limit: 10, offset: 0 }), ({ rows }) =>
    rows.reduce((sum, row) => sum + row.mapsPlayed, 0),
  ),
)

const contract = (it: ArchiveIt) => {
  it.effect("computes once, and again after an hour or a request", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      const dueAt = (now: number) => atTime(now)(stats.refreshIfDue)
      yield* forgotten
      assert.deepStrictEqual(yield* atTime(SAMPLE_NOW)(stats.state), { refreshedAt: null, recomputing: false, stale: true })
      assert.strictEqual(yield* mapsPlayed, 0)
      assert.strictEqual(yield* dueAt(SAMPLE_NOW), "refreshed")
      assert.strictEqual(yield* mapsPlayed, 3)
      assert.strictEqual(yield* dueAt(SAMPLE_NOW + 59 * MINUTE), "fresh")
      assert.strictEqual(yield* dueAt(SAMPLE_NOW + 60 * MINUTE), "refreshed")
      yield* atTime(SAMPLE_NOW + 61 * MINUTE)(stats.request)
      assert.strictEqual(yield* dueAt(SAMPLE_NOW + 62 * MINUTE), "refreshed")
      assert.strictEqual(yield* dueAt(SAMPLE_NOW + 63 * MINUTE), "fresh")
      assert.deepStrictEqual(yield* atTime(SAMPLE_NOW + 182 * MINUTE)(stats.state), {
        refreshedAt: SAMPLE_NOW + 62 * MINUTE,
        recomputing: false,
        stale: false,
      })
      assert.isTrue((yield* atTime(SAMPLE_NOW + 183 * MINUTE)(stats.state)).stale)
    }),
  )

  it.effect("one process computes; the request of another is remembered", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      yield* forgotten
      yield* held(SAMPLE_NOW)
      assert.isTrue((yield* atTime(SAMPLE_NOW + MINUTE)(stats.state)).recomputing)
      assert.strictEqual(yield* atTime(SAMPLE_NOW + MINUTE)(stats.refresh), "busy")
      assert.strictEqual(yield* mapsPlayed, 0)
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
        UPDATE cs2_stats_state SET holder = NULL, refreshed_at = ${new Date(SAMPLE_NOW)}`,
      )
      assert.strictEqual(yield* atTime(SAMPLE_NOW + 2 * MINUTE)(stats.refreshIfDue), "refreshed")
    }),
  )

  it.effect("two concurrent refreshes leave every row once", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      yield* forgotten
      const outcomes = yield* Effect.all(
        Array.from({ length: 4 }, () => atTime(SAMPLE_NOW)(stats.refresh)),
        { concurrency: "unbounded" },
      )
      assert.include(outcomes, "refreshed")
      assert.strictEqual(yield* mapsPlayed, 3)
      assert.isFalse((yield* atTime(SAMPLE_NOW)(stats.state)).recomputing)
    }),
  )

  it.effect("replaces a dead holder after ten minutes", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      yield* forgotten
      yield* held(SAMPLE_NOW)
      assert.strictEqual(yield* atTime(SAMPLE_NOW + 10 * MINUTE)(stats.refreshIfDue), "busy")
      assert.isFalse((yield* atTime(SAMPLE_NOW + 10 * MINUTE + 1)(stats.state)).recomputing)
      assert.strictEqual(yield* atTime(SAMPLE_NOW + 10 * MINUTE + 1)(stats.refreshIfDue), "refreshed")
    }),
  )

  it.effect("releases the claim if interrupted", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      yield* forgotten
      const running = yield* Effect.forkChild(atTime(SAMPLE_NOW)(stats.refresh), { startImmediately: true })
      yield* Effect.repeat(stats.state, { until: ({ recomputing }) => recomputing }).pipe(atTime(SAMPLE_NOW))
      yield* Fiber.interrupt(running)
      assert.isFalse((yield* atTime(SAMPLE_NOW)(stats.state)).recomputing)
      assert.strictEqual(yield* atTime(SAMPLE_NOW)(stats.refresh), "refreshed")
      assert.strictEqual(yield* mapsPlayed, 3)
    }),
  )

  it.effect("releases the claim even if interrupted before the database has replied", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      for (let tenths = 0; tenths < 40; tenths++) {
        const running = yield* Effect.forkChild(stats.refresh, { startImmediately: true })
        // The database takes real time, while the test clock stands still.
        yield* Effect.promise(() => delay(tenths / 10))
        yield* Fiber.interrupt(running)
        assert.isFalse((yield* stats.state).recomputing, `after ${tenths / 10} ms`)
      }
    }).pipe(atTime(SAMPLE_NOW)),
  )

  it.effect("removes a map from the statistics after it is removed from the archive", () =>
    Effect.gen(function* () {
      const stats = yield* StatsRefresh
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE cs2_games SET result_type = 'forfeit' WHERE match_number = 1001 AND map_number = 3`
      yield* atTime(SAMPLE_NOW)(stats.refresh)
      assert.strictEqual(yield* mapsPlayed, 2)
      yield* sql`UPDATE cs2_games SET result_type = 'played' WHERE match_number = 1001 AND map_number = 3`
      yield* atTime(SAMPLE_NOW)(stats.refresh)
      assert.strictEqual(yield* mapsPlayed, 3)
    }),
  )
}

onDatabaseOfRun((database, driver) => layer(sampled(driver), { timeout: "60 seconds" })(`StatsRefresh on ${database}`, contract))
