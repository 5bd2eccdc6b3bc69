/** Tests several gateways on one port: each accepts connections, and a killed one is started again without an outage. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Redacted, Schedule } from "effect"
import { inject } from "vitest"
import { bundled } from "../../../infra/bundle.mjs"
import { ownNats } from "../../fixtures/outages.ts"

const databaseUrl = inject("databaseUrl")
const main = await bundled("services/gateway/src/main.ts")

const launch = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
      const printed: Array<string> = []
      for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)))
      return { process: started, ended: once(started, "close"), text: () => printed.join("") }
    }),
    ({ ended, process: started }) =>
      Effect.promise(async () => {
        if (started.exitCode !== null || started.signalCode !== null) return
        started.kill("SIGTERM")
        await ended
      }),
  )

/** Requests the path on a new connection, because the operating system chooses a process per connection. */
const get = (port: number, path: string) =>
  Effect.tryPromise(
    () =>
      new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const sent = request({ host: "127.0.0.1", port, path, agent: false, timeout: 5_000 }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk) => chunks.push(chunk))
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        })
        sent.on("timeout", () => sent.destroy(new Error("timeout")))
        sent.on("error", reject)
        sent.end()
      }),
  )

const ready = (port: number) =>
  get(port, "/health/ready").pipe(
    Effect.map(({ status }) => status === 200),
    Effect.orElseSucceed(() => false),
    Effect.repeat({ until: (isReady) => isReady, schedule: Schedule.spaced("100 millis") }),
    Effect.timeout("60 seconds"),
    Effect.orDie,
  )

/** Number of requests for `/health/live` that the process has answered. */
const answered = (adminPort: number) =>
  Effect.map(Effect.orDie(get(adminPort, "/metrics")), ({ text }) =>
    Number(/http_requests_total\{route="\/health\/live",[^}]*\} (\d+)/.exec(text)?.[1] ?? 0),
  )

const CONNECTIONS = 80

describe("gateway --workers", () => {
  it.live(
    "explains a wrong flag",
    () =>
      Effect.gen(function* () {
        const wrong = yield* launch(["--workers", "0"], {})
        yield* Effect.promise(() => wrong.ended)
        assert.strictEqual(wrong.process.exitCode, 1)
        assert.match(wrong.text(), /^--workers must be an integer from 1 to 256, not "0"/)
      }),
    30_000,
  )

  it.live.skipIf(databaseUrl === null)(
    "spreads connections over all processes, also while one of them is dead",
    () =>
      Effect.gen(function* () {
        const nats = yield* ownNats(join(yield* temporaryDirectory, "nats"))
        const port = yield* freePort
        const adminPort = 31_000 + ((yield* freePort) % 10_000)
        const gateway = yield* launch(["--workers", "2"], {
          PORT: String(port),
          MATCHPOINT_ADMIN_PORT: String(adminPort),
          MATCHPOINT_DRAIN_SECONDS: "0",
          DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")),
          NATS_URL: nats.url,
        })
        yield* Effect.forEach([adminPort, adminPort + 1], ready, { concurrency: 2 })
        const connectMany = Effect.forEach(
          Array.from({ length: CONNECTIONS }, (_, at) => at),
          () => Effect.orDie(get(port, "/health/live")),
          { concurrency: 8 },
        )
        for (const { status } of yield* connectMany) assert.strictEqual(status, 200)
        const [first, second] = [yield* answered(adminPort), yield* answered(adminPort + 1)]
        assert.strictEqual(first + second, CONNECTIONS)
        assert.isAbove(first, 0)
        assert.isAbove(second, 0)

        const pid = Number(/gateway-2 has started as process (\d+)/.exec(gateway.text())?.[1])
        process.kill(pid, "SIGKILL")
        yield* Effect.sync(() => gateway.text()).pipe(
          Effect.repeat({ until: (text) => text.includes("gateway-2 has ended"), schedule: Schedule.spaced("20 millis") }),
        )
        for (const { status } of yield* connectMany) assert.strictEqual(status, 200)
        yield* ready(adminPort + 1)

        gateway.process.kill("SIGTERM")
        yield* Effect.promise(() => gateway.ended)
        assert.strictEqual(gateway.process.exitCode, 130)
        yield* Effect.flip(get(port, "/health/live"))
      }),
    180_000,
  )
})
