/**
 * Starts the processes of infra/compose.yaml without containers: with the environment of the image and of each service, on
 * PostgreSQL, NATS and Redis of this machine. Only addresses and ports are replaced.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { freePort } from "@matchpoint/testing/freePorts"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { nodeFlags } from "../../infra/nodeFlags.mjs"
import { root } from "../documents/pages.ts"
import { startNats } from "../fixtures/natsServer.ts"
import { programHere } from "./imagePrograms.ts"
import { parseYaml, readInfra, withVariables } from "./infraFiles.ts"

const databaseUrl = inject("databaseUrl") ?? ""
const redisUrl = inject("redisUrl") ?? ""
const natsServer = inject("natsServer") ?? ""

const Service = Schema.Struct({
  command: Schema.optional(Schema.Array(Schema.String)),
  environment: Schema.optional(Schema.Record(Schema.String, Schema.String)),
})
const Compose = Schema.Struct({ services: Schema.Record(Schema.String, Service) })

/** A value for every variable of compose.env that the settings accept. */
const SECRET = "secret-of-the-compose-test"
const text = withVariables(readInfra("compose.yaml"), (name) => (name === "MATCHPOINT_PUBLIC_URL" ? "https://api.example.com" : SECRET))
const { services } = Schema.decodeUnknownSync(Compose)(parseYaml(text))
const processes = Object.entries(services).filter(([name]) => /-\d+$/.test(name))

const [, imageText = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(readInfra("Dockerfile")) ?? []
const imageEnvironment = Object.fromEntries(Array.from(imageText.matchAll(/(\w+)=(\S+)/g), ([, name = "", value = ""]) => [name, value]))

interface Running {
  readonly name: string
  readonly adminUrl: string
  readonly env: Readonly<Record<string, string>>
  readonly output: ReadonlyArray<string>
  readonly child: ChildProcess
}

/** Starts a service of compose. It is killed with the scope if it still runs then. */
const start = Effect.fnUntraced(function* (name: string, replaced: Readonly<Record<string, string>>) {
  const { command = [], environment = {} } = services[name] ?? {}
  const adminPort = yield* freePort
  const ports = {
    HOST: "127.0.0.1",
    PORT: String(yield* freePort),
    MATCHPOINT_ADMIN_HOST: "127.0.0.1",
    MATCHPOINT_ADMIN_PORT: String(adminPort),
  }
  const cluster = { MATCHPOINT_CLUSTER_HOST: "127.0.0.1", MATCHPOINT_CLUSTER_PORT: String(yield* freePort) }
  const known = Object.entries(replaced).filter(([key]) => key in environment)
  const env = {
    ...imageEnvironment,
    ...environment,
    ...Object.fromEntries(known),
    ...ports,
    ...("MATCHPOINT_CLUSTER_HOST" in environment ? cluster : {}),
  }
  const output: Array<string> = []
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [...nodeFlags, ...command.map(programHere)], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] }),
    ),
    (started) => Effect.sync(() => started.kill("SIGKILL")),
  )
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)))
  const running: Running = { name, adminUrl: `http://127.0.0.1:${adminPort}`, env, output, child }
  return running
})

const get = (url: string) =>
  Effect.tryPromise(async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) })
    if (!response.ok) throw new Error(`${url} answers ${response.status}`)
    return response.text()
  })

const untilReady = ({ adminUrl, child, name, output }: Running) =>
  get(`${adminUrl}/health/ready`).pipe(
    Effect.retry({ schedule: Schedule.spaced("200 millis"), while: () => child.exitCode === null }),
    Effect.timeout("90 seconds"),
    Effect.mapError((cause) => new Error(`${name} is not ready:\n${output.join("")}`, { cause })),
    Effect.orDie,
  )

/** Sends SIGTERM, as Docker does, and waits for the end. */
const stop = ({ child }: Running) =>
  Effect.callback<number | NodeJS.Signals | null>((resume) => {
    child.once("exit", (code, signal) => resume(Effect.succeed(code ?? signal)))
    child.kill("SIGTERM")
  })

describe.skipIf(databaseUrl === "" || natsServer === "" || redisUrl === "")("the processes of infra/compose.yaml", () => {
  it.live(
    "start with the environment of the image and of their service, are healthy, and end on SIGTERM",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryDirectory
        const database = Redacted.value(yield* createDatabase(databaseUrl, null))
        const nats = yield* startNats(natsServer, join(folder, "nats"))
        const replaced = { DATABASE_URL: database, NATS_URL: nats, REDIS_URL: redisUrl }
        assert.strictEqual(processes.length, 7)
        const running = yield* Effect.forEach(processes, ([name]) => start(name, replaced))
        yield* Effect.forEach(running, untilReady, { concurrency: "unbounded", discard: true })
        for (const { adminUrl, env, name } of running) {
          assert.include(yield* get(`${adminUrl}/metrics`), "matchpoint_build_info", name)
          const check = spawn(process.execPath, ["infra/healthcheck.mjs"], { cwd: root, env, stdio: "ignore" })
          const code = yield* Effect.callback<number | null>((resume) => {
            check.once("close", (ended) => resume(Effect.succeed(ended)))
          })
          assert.strictEqual(code, 0, name)
        }
        const since = performance.now()
        const ends = yield* Effect.forEach(running, stop, { concurrency: "unbounded" })
        for (const [index, end] of ends.entries()) assert.strictEqual(end, 130, running[index]?.output.join(""))
        // The grace period of compose.yaml and of the manifests is 30 seconds.
        assert.isBelow(performance.now() - since, 25_000)
      }).pipe(Effect.scoped),
    240_000,
  )
})
