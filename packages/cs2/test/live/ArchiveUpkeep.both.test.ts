/** Derived data follows the archive: hourly, on request, by one process at a time and despite failing chores. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { StoreError } from "@matchpoint/store/StoreError"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { RankingWriter } from "../../src/archive/rankings/RankingWriter.ts"
import { RosterDerivation } from "../../src/archive/rosters/RosterDerivation.ts"
import { StatsRefresh } from "../../src/archive/stats/StatsRefresh.ts"
import { ArchiveTables } from "../../src/archive/upkeep/ArchiveTables.ts"
import { Calendar } from "../../src/archive/upkeep/Calendar.ts"
import { requestUpkeep, runDueChores } from "../../src/live/ArchiveUpkeep.ts"

const services = (driver: AnyDatabase) => Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))

/**
 * Runs the upkeep with services that record each request before they work. The service named `failing` fails instead.
 */
const watched = (failing?: string) => (effect: typeof runDueChores) =>
  Effect.gen(function* () {
    const done = yield* Ref.make<ReadonlyArray<string>>([])
    const doing = <A, R>(name: string, work: Effect.Effect<A, StoreError, R>) =>
      Effect.andThen(
        Ref.update(done, (all) => [...all, name]),
        name === failing ? Effect.fail(new StoreError({ operation: name, cause: new Error("refused") })) : work,
      )
    const [calendar, rosters, ranking, stats] = [yield* Calendar, yield* RosterDerivation, yield* RankingWriter, yield* StatsRefresh]
    const tables = yield* ArchiveTables
    yield* effect.pipe(
      Effect.provideService(Calendar, { settle: doing("calendar", calendar.settle) }),
      Effect.provideService(RosterDerivation, {
        rebuild: (since) => doing(since === undefined ? "all rosters" : "rosters", rosters.rebuild(since)),
      }),
      Effect.provideService(RankingWriter, { ...ranking, rebuildWorld: doing("world", ranking.rebuildWorld) }),
      Effect.provideService(ArchiveTables, { ...tables, vacuum: doing("tables", tables.vacuum) }),
      Effect.provideService(StatsRefresh, { ...stats, refreshIfDue: doing("statistics", stats.refreshIfDue) }),
    )
    return yield* Ref.get(done)
  })

/** Moves all recorded times into the past by this many minutes. */
const pass = (minutes: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`
      UPDATE chores SET done_as_of = done_as_of - ${minutes}::integer * interval '1 minute',
        requested_at = requested_at - ${minutes}::integer * interval '1 minute',
        started_at = started_at - ${minutes}::integer * interval '1 minute'`,
  )

const suite = (it: Parameters<Parameters<ReturnType<typeof layer<Layer.Success<ReturnType<typeof services>>, unknown>>>[1]>[0]) => {
  it.effect("runs every chore at first, hourly, and on request", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* watched()(runDueChores), ["calendar", "all rosters", "world", "tables", "statistics"])
      // The statistics service decides itself when it is due, so it is called at every check.
      assert.deepStrictEqual(yield* watched()(runDueChores), ["statistics"])
      yield* pass(59)
      assert.deepStrictEqual(yield* watched()(runDueChores), ["statistics"])
      yield* pass(2)
      assert.deepStrictEqual(yield* watched()(runDueChores), ["calendar", "rosters", "world", "tables", "statistics"])
      yield* pass(15)
      yield* requestUpkeep
      // Table maintenance runs at most hourly.
      assert.deepStrictEqual(yield* watched()(runDueChores), ["calendar", "rosters", "world", "statistics"])
    }),
  )

  it.effect("runs the other chores if one fails, and retries it at the next check", () =>
    Effect.gen(function* () {
      yield* pass(61)
      assert.deepStrictEqual(yield* watched("rosters")(runDueChores), ["calendar", "rosters", "world", "tables", "statistics"])
      assert.deepStrictEqual(yield* watched()(runDueChores), ["rosters", "statistics"])
    }),
  )

  it.effect("runs each chore in one of two processes", () =>
    Effect.gen(function* () {
      yield* pass(61)
      const both = yield* Effect.all([watched()(runDueChores), watched()(runDueChores)], { concurrency: 2 })
      assert.deepStrictEqual(
        both
          .flat()
          .filter((name) => name !== "statistics")
          .sort(),
        ["calendar", "rosters", "tables", "world"],
      )
    }),
  )
}

onDatabaseOfRun((database, driver) =>
  layer(services(driver), { timeout: "60 seconds", excludeTestServices: true })(`ArchiveUpkeep on ${database}`, suite),
)
