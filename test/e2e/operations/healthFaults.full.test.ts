/**
 * Tests `/health` while the embedded parts cannot recover: a database that cannot be reopened, and a log without its
 * directory.
 */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { HealthReport } from "@matchpoint/contracts/http/HealthReport"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const decodeReport = Schema.decodeUnknownSync(HealthReport)

const ask = Effect.fnUntraced(function* (path: string) {
  const { url } = yield* Standalone
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5_000) })
    return { status: answer.status, body: await answer.json() }
  })
})

const becomes = (status: 200 | 503) =>
  ask("/health/ready").pipe(
    Effect.repeat({ until: (answer) => answer.status === status, schedule: Schedule.spaced("200 millis") }),
    Effect.timeout("60 seconds"),
  )

/** Waits for a failure. Returns the only failed component of the report. The process stays alive. */
const failure = Effect.gen(function* () {
  yield* becomes(503)
  assert.strictEqual((yield* ask("/health/live")).status, 200)
  const { body, status } = yield* ask("/health")
  assert.strictEqual(status, 503)
  const failed = decodeReport(body).components.filter((component) => component.status === "failed")
  assert.lengthOf(failed, 1)
  return failed[0]
})

const dataDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-faults-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 5 })),
)

/** Replaces the directory with a file until it is put back. */
const withoutDirectory = (directory: string) => ({
  remove: Effect.promise(async () => {
    await rename(directory, `${directory}.away`)
    await writeFile(directory, "")
  }),
  putBack: Effect.promise(async () => {
    await rm(directory)
    await rename(`${directory}.away`, directory)
  }),
})

const databaseUrl = inject("databaseUrl")

describe("health under faults", () => {
  it.live(
    "reports a database whose worker dies and cannot reopen its directory, until the directory is back",
    () =>
      Effect.gen(function* () {
        const directory = yield* dataDirectory
        const env = {
          MATCHPOINT_DATA_DIRECTORY: directory,
          NODE_OPTIONS: `--import ${new URL("../../fixtures/endableDatabase.ts", import.meta.url).href}`,
        }
        yield* Effect.gen(function* () {
          yield* becomes(200)
          const { output, pid } = yield* Standalone
          const { putBack, remove } = withoutDirectory(join(directory, "database"))
          yield* remove
          process.kill((yield* pid) ?? assert.fail("the server has ended"), "SIGUSR2")
          const failed = yield* failure
          assert.strictEqual(failed?.name, "database")
          assert.isNotEmpty(failed?.reason)
          yield* Effect.repeat(output, {
            until: (printed) => printed.split("could not reopen the embedded database").length > 3,
            schedule: Schedule.spaced("100 millis"),
          }).pipe(Effect.timeout("20 seconds"))
          assert.strictEqual((yield* failure)?.name, "database")
          yield* putBack
          yield* becomes(200)
          assert.include(yield* output, "reopened the embedded database")
        }).pipe(Effect.provide(Standalone.layer({ matches: 0, speed: 1, env })))
      }),
    240_000,
  )

  it.live(
    "reports a log that cannot create its next file because its directory is missing, until the directory is back",
    () =>
      Effect.gen(function* () {
        const directory = yield* dataDirectory
        const env = {
          MATCHPOINT_DATA_DIRECTORY: directory,
          ...(databaseUrl === null ? {} : { DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl)) }),
        }
        yield* Effect.gen(function* () {
          yield* becomes(200)
          const { putBack, remove } = withoutDirectory(join(directory, "log"))
          yield* remove
          // Every readiness check appends a record or two, so the current file is soon full.
          const failed = yield* failure
          assert.strictEqual(failed?.name, "log")
          assert.include(failed?.reason, join(directory, "log"))
          yield* putBack
          yield* becomes(200)
        }).pipe(Effect.provide(Standalone.layer({ matches: 0, speed: 1, env })))
      }),
    240_000,
  )
})
