/** Tests `/health`, `/health/live` and `/health/ready` during each fault, on real servers, sockets and disks. */
import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { LIVE, streams } from "@matchpoint/contracts/bus/subjects"
import { HealthReport } from "@matchpoint/contracts/http/HealthReport"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { withTimeLimit } from "@matchpoint/process/health/Check"
import { servedGamesLayer } from "@matchpoint/service-gateway/Gateway"
import { LiveHubLayer } from "@matchpoint/service-gateway/live/LiveHubLayer"
import { lagCheck } from "@matchpoint/service-gateway/process/lagCheck"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Latch, Layer, Redacted, Schedule, Schema, Stream } from "effect"
import { inject } from "vitest"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { cuttableProxy, ownNats } from "../../fixtures/outages.ts"
import { Standalone } from "../../fixtures/Standalone.ts"

const FEED_TOKEN = "a-feed-token-of-this-test"

const decodeReport = Schema.decodeUnknownSync(HealthReport)

const ask = Effect.fnUntraced(function* (path: string) {
  const { url } = yield* Standalone
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5_000) })
    return { status: answer.status, body: await answer.json() }
  })
})

/** Status of each component and of the whole report. */
const health = Effect.map(ask("/health"), ({ body, status }) => {
  const report = decodeReport(body)
  return { status, report, of: Object.fromEntries(report.components.map((component) => [component.name, component.status])) }
})

const becomes = (expected: 200 | 503) =>
  ask("/health/ready").pipe(
    Effect.repeat({ until: ({ status }) => status === expected, schedule: Schedule.spaced("100 millis") }),
    Effect.timeout("20 seconds"),
  )

const alive = Effect.map(ask("/health/live"), ({ status }) => assert.strictEqual(status, 200))

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-health-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 5 })),
)

/** Mounts a file system of this size in megabytes. Null if this machine does not permit it. */
const smallDisk = (megabytes: number) =>
  Effect.acquireRelease(
    Effect.map(temporaryDirectory, (directory) =>
      spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory]).status === 0 ? directory : null,
    ),
    (directory) => Effect.sync(() => directory !== null && spawnSync("umount", ["-l", directory])),
  )

const MB = 1024 * 1024
const hasNats = spawnSync("nats-server", ["--version"]).status === 0
const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0

const databaseUrl = inject("databaseUrl")

const registration = JSON.stringify({ bestOf: 1, teams: [{ name: "North" }, { name: "South" }] })

/** Posts to the feed. Returns the response and its time in milliseconds. */
const post = Effect.fnUntraced(function* (path: string, body: string) {
  const { url } = yield* Standalone
  return yield* Effect.promise(async () => {
    const begun = performance.now()
    const answer = await fetch(`${url}/feed/v1/matches${path}`, { method: "POST", headers: { "x-feed-token": FEED_TOKEN }, body })
    return { body: await answer.json(), status: answer.status, ms: performance.now() - begun }
  })
})

describe("health", () => {
  it.live(
    "on the embedded log: reports every component, a full disk, and a log that cannot write",
    () =>
      Effect.gen(function* () {
        const disk = yield* smallDisk(256)
        // Uses PostgreSQL if available: creating the embedded database takes long.
        const env = {
          ...(disk === null ? {} : { MATCHPOINT_DATA_DIRECTORY: join(disk, "data") }),
          ...(databaseUrl === null ? {} : { DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl)) }),
        }
        yield* Effect.gen(function* () {
          yield* becomes(200)
          const works = yield* health
          assert.strictEqual(works.status, 200)
          assert.deepStrictEqual(Object.keys(works.of), ["log", "database", "bus", "lag", "disk"])
          assert.notInclude(Object.values(works.of), "failed")
          for (const { reason } of works.report.components) assert.isNotEmpty(reason)
          yield* alive

          if (disk !== null) {
            const filler = join(disk, "filler")
            // More bytes than the disk has: the write fills the disk and fails.
            yield* Effect.tryPromise(() => writeFile(filler, Buffer.alloc(260 * MB))).pipe(Effect.flip)
            yield* becomes(503)
            assert.deepInclude((yield* health).of, { disk: "failed", log: "failed" })
            yield* alive
            yield* Effect.promise(() => rm(filler))
            yield* becomes(200)
          }

          if (hasPrlimit) {
            const { pid } = yield* Standalone
            // No file may grow beyond a few bytes, however much space the disk has.
            spawnSync("prlimit", ["--pid", String(yield* pid), "--fsize=16:"])
            yield* becomes(503)
            assert.deepInclude((yield* health).of, { log: "failed" })
            yield* alive
            spawnSync("prlimit", ["--pid", String(yield* pid), "--fsize=unlimited:"])
            yield* becomes(200)
          }
        }).pipe(Effect.provide(Standalone.layer({ matches: 0, speed: 1, env })))
      }),
    240_000,
  )

  it.live.skipIf(!hasNats || databaseUrl === null)(
    "on servers: reports an unreachable database and a stopped NATS, and the feed answers 503 within three seconds",
    () =>
      Effect.gen(function* () {
        const nats = yield* ownNats(yield* temporaryDirectory)
        const database = yield* cuttableProxy(Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")))
        const env = { NATS_URL: nats.url, DATABASE_URL: database.url, MATCHPOINT_FEED_TOKEN: FEED_TOKEN }
        yield* Effect.gen(function* () {
          yield* becomes(200)
          const opened = yield* post("", registration)
          assert.strictEqual(opened.status, 200)
          const known = `/${opened.body.data.matchId}`
          assert.strictEqual((yield* post(`${known}/log`, "a line")).status, 200)

          yield* database.block
          yield* becomes(503)
          assert.deepInclude((yield* health).of, { database: "failed", log: "ok", bus: "ok", lag: "ok", disk: "ok" })
          yield* alive
          yield* database.unblock
          yield* becomes(200)

          yield* nats.stop
          for (const answer of [
            yield* post(`${known}/log`, "a line"),
            yield* post(`${known}/log`, "a line"),
            yield* post("", registration),
          ]) {
            assert.strictEqual(answer.status, 503)
            assert.isBelow(answer.ms, 3_000)
          }
          yield* becomes(503)
          const { of } = yield* health
          assert.deepInclude(of, { log: "failed", database: "ok" })
          assert.notStrictEqual(of["bus"], "ok")
          yield* alive
          yield* nats.start
          yield* becomes(200)
          assert.strictEqual((yield* post(`${known}/log`, "a line")).status, 200)
        }).pipe(Effect.provide(Standalone.layer({ matches: 0, speed: 1, env })))
      }),
    240_000,
  )

  it.live("reports a failed lag if the edge stays behind the log (memory log with a blocked reader)", () =>
    Effect.gen(function* () {
      const gate = Latch.makeUnsafe(true)
      const heldLog = Layer.effect(
        EventLog,
        Effect.map(EventLog, (log) => ({
          ...log,
          consume: (...args: Parameters<EventLog["Service"]["consume"]>) =>
            args[0] === LIVE ? Stream.tap(log.consume(...args), () => gate.await) : log.consume(...args),
        })),
      ).pipe(Layer.provide(EventLogMemory.layer({ streams })))
      yield* Effect.gen(function* () {
        const log = yield* EventLog
        const readLag = withTimeLimit(yield* lagCheck)
        const [first, second] = liveRecords(7, matchId(8_001), 2)
        const append = (record: typeof first) =>
          record === undefined ? Effect.die("there are too few records") : log.append(record.subject, record.id, record.data)
        yield* append(first)
        assert.strictEqual((yield* readLag).status, "ok")
        gate.closeUnsafe()
        yield* append(second)
        const frozen = yield* readLag
        assert.deepStrictEqual([frozen.name, frozen.status], ["lag", "failed"])
        assert.match(frozen.reason, /1 records behind/)
        gate.openUnsafe()
        assert.strictEqual((yield* readLag).status, "ok")
      }).pipe(
        Effect.provide(
          LiveHubLayer.pipe(
            Layer.provide([servedGamesLayer, UwsServer.layer({ port: 0, host: "127.0.0.1" })]),
            Layer.provideMerge(heldLog),
          ),
        ),
      )
    }),
  )
})
