/** Tests `npm run cluster`: all processes start, a killed one is started again, and Ctrl-C ends all of them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { clusterPlan } from "@matchpoint/service-standalone/cluster/clusterPlan"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Redacted, Schedule } from "effect"
import { inject } from "vitest"
import { bundled } from "../../../infra/bundle.mjs"
import { ownNats } from "../../fixtures/outages.ts"

const databaseUrl = inject("databaseUrl")
const main = await bundled("services/standalone/src/cluster/main.ts")

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

/** Waits until the process is ready. */
const ready = (adminPort: string | undefined) =>
  Effect.tryPromise(async () => {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/health/ready`, { signal: AbortSignal.timeout(2_000) })
    if (!answer.ok) throw new Error(`not ready: ${answer.status}`)
  }).pipe(Effect.retry(Schedule.spaced("100 millis")), Effect.timeout("60 seconds"), Effect.orDie)

const pidIn = (text: string, name: string) =>
  Number(new RegExp(`${name} has started as process (\\d+)`).exec(text)?.[1] ?? assert.fail(`${name} has not started:\n${text}`))

describe("npm run cluster", () => {
  it.live(
    "lists the settings that are missing, and its flags",
    () =>
      Effect.gen(function* () {
        const missing = yield* launch([], {})
        yield* Effect.promise(() => missing.ended)
        assert.strictEqual(missing.process.exitCode, 1)
        assert.deepStrictEqual(
          missing
            .text()
            .trim()
            .split("\n")
            .map((line) => line.split(" ", 1)[0]),
          ["DATABASE_URL", "NATS_URL", "MATCHPOINT_FEED_TOKEN", "MATCHPOINT_WEBHOOK_KEY"],
        )
        const help = yield* launch(["--help"], {})
        yield* Effect.promise(() => help.ended)
        for (const flag of ["--match", "--gateways", "--feeds", "--webhooks", "--port"]) assert.include(help.text(), flag)
      }),
    60_000,
  )

  it.live.skipIf(databaseUrl === null)(
    "starts each process, starts a killed one again, and ends all of them on Ctrl-C",
    () =>
      Effect.gen(function* () {
        const nats = yield* ownNats(join(yield* temporaryDirectory, "nats"))
        // The first port is free, and those that follow from it are far apart from those of other tests.
        const size = { match: 1, gateways: 1, feeds: 1, webhooks: 1, port: 20_000 + ((yield* freePort) % 10_000) }
        const cluster = yield* launch(["--match", "1", "--gateways", "1", "--port", String(size.port)], {
          DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")),
          NATS_URL: nats.url,
          MATCHPOINT_FEED_TOKEN: "a-feed-token-of-this-test",
          MATCHPOINT_WEBHOOK_KEY: "a-webhook-key-of-this-test",
        })
        const plan = clusterPlan(size)
        const adminPorts = plan.map(({ env }) => env["MATCHPOINT_ADMIN_PORT"])
        yield* Effect.forEach(adminPorts, ready, { concurrency: "unbounded", discard: true })

        const gateway = plan.findIndex(({ service }) => service === "gateway")
        process.kill(pidIn(cluster.text(), "gateway-1"), "SIGKILL")
        yield* Effect.sync(() => cluster.text()).pipe(
          Effect.repeat({ until: (text) => text.includes("gateway-1 has ended"), schedule: Schedule.spaced("50 millis") }),
        )
        yield* ready(adminPorts[gateway])

        cluster.process.kill("SIGINT")
        yield* Effect.promise(() => cluster.ended)
        assert.strictEqual(cluster.process.exitCode, 130)
        for (const { env } of plan) {
          const gone = yield* Effect.flip(Effect.tryPromise(() => fetch(`http://127.0.0.1:${env["MATCHPOINT_ADMIN_PORT"]}/health/live`)))
          assert.strictEqual(gone._tag, "UnknownError")
        }
      }),
    180_000,
  )
})
