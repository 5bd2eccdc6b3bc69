/**
 * Tests a server that receives a stop signal before it has started: it prints a message and exits within 5 seconds.
 * Runs as a separate process.
 */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Starts a process, sends SIGTERM when `ready` resolves, and waits for its end. */
const endedDuring = Effect.fnUntraced(function* (
  script: string,
  env: Readonly<Record<string, string>>,
  ready: (child: ReturnType<typeof launch>) => Promise<unknown>,
) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => launch(script, env)),
    (launched) => Effect.sync(() => launched.process.kill("SIGKILL")),
  )
  return yield* Effect.promise(async () => {
    await ready(child)
    const signalledAt = performance.now()
    child.process.kill("SIGTERM")
    const how = await child.ended
    return { ...how, ms: performance.now() - signalledAt, printed: child.printed.join("") }
  })
})

const launch = (script: string, env: Readonly<Record<string, string>>) => {
  const started = spawn(process.execPath, [pathOf(script)], { env, stdio: ["ignore", "pipe", "pipe"] })
  const printed: Array<string> = []
  for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)))
  const ended = new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resolve) =>
    started.once("close", (code, signal) => resolve({ code, signal })),
  )
  const firstOutput = new Promise((resolve) => started.stdout.once("data", resolve))
  return { process: started, printed, ended, firstOutput }
}

/** A server that accepts connections and never answers. */
const silentServer = Effect.acquireRelease(
  Effect.promise(async () => {
    let accept: (value: unknown) => void = () => undefined
    const connected = new Promise((resolve) => {
      accept = resolve
    })
    const server = createServer(accept)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    return { server, port: address.port, connected }
  }),
  ({ server }) => Effect.sync(() => server.close()),
)

const databaseUrl = inject("databaseUrl")

const main = "../../../services/standalone/src/main.ts"

describe("a signal during the start", () => {
  for (const [name, setting] of [
    ["a database that does not answer", (port: number) => ({ DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/x` })],
    ["a log that does not answer", (port: number) => ({ NATS_URL: `nats://127.0.0.1:${port}` })],
  ] as const) {
    it.live(
      `${name}: the server exits within 5 seconds with a message`,
      () =>
        Effect.gen(function* () {
          const { connected, port } = yield* silentServer
          const directory = yield* Effect.acquireRelease(
            Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-signals-"))),
            (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
          )
          // Uses PostgreSQL if available: creating the embedded database takes long.
          const database = databaseUrl === null ? {} : { DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl)) }
          const env = {
            ...database,
            HOST: "127.0.0.1",
            PORT: String(yield* freePort),
            MATCHPOINT_DATA_DIRECTORY: directory,
            ...setting(port),
          }
          const ended = yield* endedDuring(main, env, () => connected)
          assert.isBelow(ended.ms, 5_500)
          assert.match(ended.printed, /^Matchpoint ends before it has started, on SIGTERM\n/)
        }),
      60_000,
    )
  }

  it.live(
    "kills a start that cannot be interrupted within 5 seconds",
    () =>
      Effect.gen(function* () {
        const ended = yield* endedDuring("../../fixtures/hangingStart.ts", {}, ({ firstOutput }) => firstOutput)
        assert.deepStrictEqual([ended.code, ended.signal], [null, "SIGKILL"])
        assert.isBelow(ended.ms, 5_500)
        assert.include(ended.printed, "Matchpoint ends before it has started, on SIGTERM")
        assert.include(ended.printed, "is killed")
      }),
    60_000,
  )
})
