/**
 * Tests guarantees of the embedded driver alone: a directory that survives its process and belongs to one process, and
 * a separate thread.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { Migrations } from "@matchpoint/games/Migrations"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Duration, Effect, Exit, Fiber, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import { Embedded } from "../../src/database/Embedded.ts"
import { Checkpoints } from "../../src/live/Checkpoints.ts"
import { OperationTimeout, storeOperation } from "../../src/StoreError.ts"

/**
 * Starts the holder process and returns after it has saved `count` checkpoints. The process is killed with the scope.
 */
const startHolder = Effect.fn("startHolder")(function* (directory: string, count: number) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [fileURLToPath(new URL("../fixtures/holder.ts", import.meta.url)), directory], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    ),
    (process) => kill(process),
  )
  let acknowledged = 0
  yield* Effect.callback<void>((resume) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      acknowledged = Number(line)
      if (acknowledged === count) resume(Effect.void)
    })
    child.once("exit", (code) => resume(Effect.die(new Error(`the holder ended by itself with code ${code}`))))
  })
  return { child, acknowledged: () => acknowledged }
})

const kill = (child: ChildProcess): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, "exit")
    child.kill("SIGKILL")
    await exited
  })

const withStore = (directory: string) =>
  Effect.provide(Checkpoints.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(Embedded.layer({ directory }))))

describe("Embedded", () => {
  it.live(
    "keeps every acknowledged write when its process is killed",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        for (const count of [200, 50]) {
          const holder = yield* startHolder(directory, count)
          yield* kill(holder.child)
          const stored = yield* Effect.flatMap(Checkpoints, (_) => _.load("survivor")).pipe(withStore(directory))
          assert.isAtLeast(Option.getOrThrow(stored).seq, holder.acknowledged())
          // The second holder starts at 1 again, so it needs a table without the first one's higher position.
          yield* Effect.flatMap(Checkpoints, (_) => _.remove("survivor")).pipe(withStore(directory))
        }
      }),
    // Five starts of a database, each up to 5 seconds on a busy machine.
    60_000,
  )

  it.live(
    "replaces its worker each time it dies, without losing an acknowledged write",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const posts = vi.spyOn(Worker.prototype, "postMessage")
        yield* Effect.addFinalizer(() => Effect.sync(() => posts.mockRestore()))
        const crash = Effect.promise(() => (posts.mock.contexts.at(-1) as Worker).terminate())
        yield* Effect.gen(function* () {
          const checkpoints = yield* Checkpoints
          const sql = yield* SqlClient.SqlClient
          const save = (seq: number) =>
            checkpoints.save({ matchId: "survivor", epoch: 1, seq, feedSequence: seq, formatVersion: 1, state: "{}" })
          const untilBack = Effect.retry(checkpoints.load("survivor"), Schedule.spaced("50 millis")).pipe(Effect.timeout("20 seconds"))

          yield* save(1)
          // A running query fails with a retryable error.
          const slow = yield* Effect.forkChild(Effect.flip(sql`SELECT pg_sleep(5)`))
          yield* Effect.sleep("100 millis")
          yield* crash
          const failed = yield* Fiber.join(slow)
          assert.isTrue(failed.isRetryable)
          assert.strictEqual(Option.getOrThrow(yield* untilBack).seq, 1)

          // An open transaction is rolled back.
          const torn = yield* Effect.forkChild(
            Effect.exit(sql.withTransaction(Effect.andThen(save(3), Effect.andThen(sql`SELECT pg_sleep(5)`, Effect.void)))),
          )
          yield* Effect.sleep("200 millis")
          yield* crash
          assert.isTrue(Exit.isFailure(yield* Fiber.join(torn)))
          assert.strictEqual(Option.getOrThrow(yield* untilBack).seq, 1)
          yield* save(2)

          // The worker dies while it is idle.
          yield* crash
          assert.strictEqual(Option.getOrThrow(yield* untilBack).seq, 2)
        }).pipe(Effect.provide(Checkpoints.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(Embedded.layer({ directory })))))
      }),
    60_000,
  )

  it.live(
    "opens although the machine is so busy that the first session takes longer than 5 seconds",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const post = Worker.prototype.postMessage
        let answersFrom = 0
        const posts = vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function (this: Worker, ...args) {
          // Messages of the client reach the thread only after 6 seconds.
          if (answersFrom === 0) answersFrom = performance.now() + 6_000
          setTimeout(() => post.apply(this, args), Math.max(0, answersFrom - performance.now()))
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => posts.mockRestore()))
        const rows = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`).pipe(
          Effect.provide(Embedded.layer({ directory })),
        )
        assert.deepStrictEqual(rows, [{ one: 1 }])
        assert.isAbove(answersFrom, 0)
      }),
    60_000,
  )

  it.live("rejects a directory that another process uses and names that process", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { child } = yield* startHolder(directory, 1)
      const error = yield* Effect.flip(Layer.build(Embedded.layer({ directory })))
      assert.strictEqual(error._tag, "DirectoryLocked")
      assert.include(error.message, `process ${child.pid}`)
    }),
  )

  it.live("finds its data when the same process reopens the directory", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const checkpoint = { matchId: "m", epoch: 1, seq: 1, feedSequence: 1, formatVersion: 1, state: "{}" }
      yield* Effect.flatMap(Checkpoints, (_) => _.save(checkpoint)).pipe(withStore(directory))
      const loaded = yield* Effect.flatMap(Checkpoints, (_) => _.load("m")).pipe(withStore(directory))
      assert.deepStrictEqual(loaded, Option.some(checkpoint))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(directory)), ["data", "lock.2"])
    }),
  )

  it.live("fails to open a directory of another version instead of overwriting it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.promise(async () => {
        await mkdir(join(directory, "data"))
        await writeFile(join(directory, "data", "PG_VERSION"), "9\n")
      })
      const error = yield* Effect.flip(Layer.build(Embedded.layer({ directory })))
      assert.deepInclude(error, { _tag: "EmbeddedOpenError", directory: join(directory, "data") })
    }),
  )

  it.live("states why the initial content cannot be unpacked", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const initialData = join(directory, "missing.tar")
      const error = yield* Effect.flip(Layer.build(Embedded.layer({ directory, initialData })))
      assert.include(String((error as { readonly cause?: unknown }).cause), "ENOENT: no such file or directory")
    }).pipe(Effect.scoped),
  )

  it.live("starts over if the process died while the directory was created", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.promise(async () => {
        await mkdir(join(directory, "data.new", "base"), { recursive: true })
        await writeFile(join(directory, "data.new", "PG_VERSION"), "")
      })
      const answer = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`).pipe(
        Effect.provide(Embedded.layer({ directory })),
      )
      assert.deepStrictEqual(answer, [{ one: 1 }])
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(directory)), ["data", "lock.1"])
    }),
  )

  it.live(
    "creates the same catalogs as PGlite's own initdb",
    () =>
      Effect.gen(function* () {
        const own = yield* Effect.acquireRelease(
          Effect.promise(() => PGlite.create()),
          (db) => Effect.promise(() => db.close()),
        )
        const sql = yield* SqlClient.SqlClient
        for (const query of catalogs) {
          const { rows } = yield* Effect.promise(() => own.query<{ readonly row: string }>(query))
          assert.isAbove(rows.length, 0, query)
          assert.deepStrictEqual(yield* sql.unsafe(query), rows, query)
        }
      }).pipe(Effect.provide(Embedded.layer({ directory: null }))),
    60_000,
  )

  it.live("does not block the event loop during a slow statement, fails it in time and serves the next", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const limit = yield* OperationTimeout
      let ticks = 0
      yield* Effect.sync(() => ticks++).pipe(Effect.repeat(Schedule.spaced("10 millis")), Effect.forkScoped)
      const [elapsed, error] = yield* sql`SELECT pg_sleep(1)`.pipe(storeOperation("test", limit), Effect.flip, Effect.timed)
      assert.isTrue(error.isRetryable)
      assert.isBelow(Duration.toMillis(elapsed), 900)
      // Two of three ticks may be late on a busy machine. On a blocked event loop there would be only one.
      assert.isAbove(ticks, 6)
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }).pipe(Effect.provide(Embedded.layer({ directory: null, statementTimeout: "200 millis" }))),
  )

  it.live("leaves no transaction open after an interruption in the middle of a statement", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE interrupted (id integer)`
      const transaction = sql`INSERT INTO interrupted VALUES (1)`.pipe(Effect.andThen(sql`SELECT pg_sleep(0.5)`), sql.withTransaction)
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(transaction, "100 millis")))
      assert.deepStrictEqual(yield* sql`SELECT * FROM interrupted`, [])
    }).pipe(Effect.provide(Embedded.layer({ directory: null }))),
  )
})

/** System catalogs that `initdb` fills, one row as text each. A change of PGlite's major version changes them. */
const catalogs = [
  "SELECT concat_ws(' ', oid, relname, relkind, relnatts) AS row FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace ORDER BY oid",
  "SELECT concat_ws(' ', oid, proname, prosrc, proargtypes) AS row FROM pg_proc ORDER BY oid",
  "SELECT concat_ws(' ', oid, typname, typlen, typinput) AS row FROM pg_type WHERE typrelid = 0 ORDER BY oid",
  "SELECT concat_ws(' ', oid, oprname, oprleft, oprright) AS row FROM pg_operator ORDER BY oid",
  "SELECT concat_ws(' ', castsource, casttarget, castfunc) AS row FROM pg_cast ORDER BY castsource, casttarget",
  "SELECT concat_ws(' ', collname, collencoding, collprovider) AS row FROM pg_collation ORDER BY collname, collencoding",
  "SELECT concat_ws(' ', datname, encoding, datcollate, datctype) AS row FROM pg_database ORDER BY datname",
]
