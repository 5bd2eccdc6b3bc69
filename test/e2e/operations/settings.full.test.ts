/**
 * Tests starts with invalid settings, missing dependencies or damaged data: the server prints why it cannot start, and
 * exits.
 */
import { spawn } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { lockDirectory } from "@matchpoint/files/DirectoryLock"
import { settingGroups } from "@matchpoint/process/settings/catalog"
import { settingNames } from "@matchpoint/process/settings/readSettings"
import { environmentExample, settingsPage } from "@matchpoint/process/settings/settingsDocuments"
import { StandaloneConfig } from "@matchpoint/service-standalone/StandaloneConfig"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { inject } from "vitest"
import { bundled } from "../../../infra/bundle.mjs"

const main = await bundled("services/standalone/src/main.ts")
const root = fileURLToPath(new URL("../../..", import.meta.url))

const settingsOf = (env: Record<string, string>) =>
  StandaloneConfig.pipe(
    Effect.provide(StandaloneConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))),
    Effect.scoped,
  )

const problemsOf = (env: Record<string, string>) => Effect.map(Effect.flip(settingsOf(env)), ({ message }) => message.split("\n"))

const invalid: ReadonlyArray<readonly [env: Record<string, string>, line: string]> = [
  [{ PORT: "99999" }, 'PORT must be a port, 0 to 65535, not "99999"'],
  [{ MATCHPOINT_SIMULATED_MATCHES: "-3" }, 'MATCHPOINT_SIMULATED_MATCHES must be a whole number from 0 to 500, not "-3"'],
  [{ MATCHPOINT_SIMULATED_MATCHES: "1.5" }, 'MATCHPOINT_SIMULATED_MATCHES must be a whole number from 0 to 500, not "1.5"'],
  [{ MATCHPOINT_SIMULATION_SPEED: "0" }, 'MATCHPOINT_SIMULATION_SPEED must be a number above 0, or max, not "0"'],
  [{ MATCHPOINT_BEHIND_PROXY: "yes" }, 'MATCHPOINT_BEHIND_PROXY must be true or false, not "yes"'],
  [{ MATCHPOINT_HANDSHAKES_PER_SECOND: "0" }, 'MATCHPOINT_HANDSHAKES_PER_SECOND must be a whole number from 1 to 1000000, not "0"'],
  [
    { MATCHPOINT_PUBLIC_URL: "api.example.com" },
    'MATCHPOINT_PUBLIC_URL must be an address such as https://api.example.com, not "api.example.com"',
  ],
  [{ MATCHPOINT_METERING: "no" }, 'MATCHPOINT_METERING must be on or off, not "no"'],
  [{ MATCHPOINT_ADMIN_TOKEN: "secret" }, "MATCHPOINT_ADMIN_TOKEN must be 16 characters or more; `openssl rand -hex 24` generates one"],
  [{ MATCHPOINT_FEED_TOKEN: "secret" }, "MATCHPOINT_FEED_TOKEN must be 16 characters or more; `openssl rand -hex 24` generates one"],
  [{ DATABASE_URL: "mysql://me:secret@h/d" }, "DATABASE_URL must be an address such as postgres://user:password@host:5432/database"],
  [{ REDIS_URL: "secret" }, "REDIS_URL must be an address such as redis://localhost:6379"],
  [{ MATCHPOINT_FEED_TOKENS: "0123456789abcdef" }, "MATCHPOINT_FEED_TOKENS is not a known setting; did you mean MATCHPOINT_FEED_TOKEN?"],
  [{ MATCHPOINT_BEHIND_PROXI: "true" }, "MATCHPOINT_BEHIND_PROXI is not a known setting; did you mean MATCHPOINT_BEHIND_PROXY?"],
  [{ MATCHPOINT_SOMETHING: "1" }, "MATCHPOINT_SOMETHING is not a known setting; docs/operators/settings.md lists all settings"],
]

describe("settings", () => {
  it.effect.each(invalid)("%o", ([env, line]) => Effect.map(problemsOf(env), (lines) => assert.deepStrictEqual(lines, [line])))

  it.effect("reports all problems at once, without secrets", () =>
    Effect.gen(function* () {
      const lines = yield* problemsOf(Object.assign({}, ...invalid.map(([env]) => env)))
      // One setting appears twice in the list above.
      assert.lengthOf(lines, invalid.length - 1)
      assert.notInclude(lines.join("\n"), "secret")
    }),
  )

  it.effect("accepts variables that Kubernetes and other commands set", () =>
    settingsOf({
      MATCHPOINT_PORT: "tcp://10.0.0.1:8080",
      MATCHPOINT_PORT_8080_TCP_ADDR: "10.0.0.1",
      MATCHPOINT_SERVICE_HOST: "10.0.0.1",
      MATCHPOINT_SERVICE_PORT_HTTP: "8080",
      MATCHPOINT_DATA: "/data",
    }),
  )

  it.effect("accepts the bounds that it documents", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({ PORT: "0", MATCHPOINT_ADMIN_PORT: "65535" })
      assert.deepStrictEqual([settings.port, settings.adminPort], [0, Option.some(65_535)])
    }),
  )

  it.effect("simulates matches by default on the embedded database, and on PostgreSQL only if configured", () =>
    Effect.gen(function* () {
      const DATABASE_URL = "postgres://me@localhost/matchpoint"
      assert.strictEqual((yield* settingsOf({})).simulatedMatches, 4)
      assert.strictEqual((yield* settingsOf({ DATABASE_URL })).simulatedMatches, 0)
      assert.strictEqual((yield* settingsOf({ DATABASE_URL, MATCHPOINT_SIMULATED_MATCHES: "2" })).simulatedMatches, 2)
    }),
  )

  it.effect("docs/operators/settings.md and .env.example are current; `node infra/run.mjs settings` generates them", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* Effect.promise(() => readFile(join(root, "docs/operators/settings.md"), "utf8")),
        settingsPage(settingGroups),
      )
      const example = yield* Effect.promise(() => readFile(join(root, ".env.example"), "utf8"))
      assert.strictEqual(example, environmentExample(settingGroups))
    }),
  )

  it.effect("documents every setting once, with its actual default", () =>
    Effect.gen(function* () {
      const example = environmentExample(settingGroups)
      const lines = [...example.matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const)
      assert.deepStrictEqual(lines.map(([name]) => name).sort(), [...settingNames].sort())
      const documented = Object.fromEntries(lines.filter(([, value]) => value !== ""))
      assert.deepStrictEqual(yield* settingsOf(documented), yield* settingsOf({}))
    }),
  )
})

/** Uses PostgreSQL if available: creating the embedded database takes long. */
const databaseUrl = inject("databaseUrl")

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-settings-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 5 })),
)

/** Starts the server and waits until it exits. */
const start = Effect.fnUntraced(function* (directory: string, env: Record<string, string>) {
  const port = yield* freePort
  return yield* Effect.callback<{ readonly code: number | null; readonly lines: ReadonlyArray<string> }>((resume) => {
    const settings = { PORT: String(port), MATCHPOINT_DATA_DIRECTORY: directory, MATCHPOINT_SIMULATED_MATCHES: "0", ...env }
    const child = spawn(process.execPath, [main], { env: settings, stdio: ["ignore", "pipe", "pipe"] })
    const output: Array<string> = []
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)))
    child.once("close", (code) => resume(Effect.succeed({ code, lines: output.join("").trimEnd().split("\n") })))
    return Effect.sync(() => child.kill("SIGKILL"))
  }).pipe(Effect.timeout("60 seconds"))
})

describe("a server that cannot start", () => {
  it.live(
    "prints what is wrong with its settings, one line each, and exits with 1",
    () =>
      Effect.gen(function* () {
        const env = { MATCHPOINT_SIMULATED_MATCHES: "-3", MATCHPOINT_BEHIND_PROXY: "yes", MATCHPOINT_ADMIN_TOKEN: "short" }
        const { code, lines } = yield* start(yield* temporaryDirectory, env)
        assert.deepStrictEqual([code, lines.length], [1, 3])
      }),
    70_000,
  )

  it.live(
    "exits with one line if its data directory cannot be created",
    () =>
      Effect.gen(function* () {
        for (const directory of ["/proc/matchpoint", "/proc/matchpoint/deeper"]) {
          const { code, lines } = yield* start(directory, {})
          assert.strictEqual(code, 1)
          assert.lengthOf(lines, 1)
          // The log and the database have a directory each in it. The first of them that fails is reported.
          assert.match(
            lines[0] ?? "",
            /^Matchpoint cannot start: (open )?\/proc\/matchpoint.*; choose a directory that this process may write to$/,
          )
        }
      }),
    140_000,
  )

  it.live(
    "names the process that uses its log directory",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const log = join(directory, "log")
        yield* lockDirectory(log)
        const { code, lines } = yield* start(directory, {})
        assert.deepStrictEqual(
          [code, lines],
          [1, [`Matchpoint cannot start: open ${log}: in use by process ${process.pid}; stop that process or choose another directory`]],
        )
      }),
    70_000,
  )

  it.live(
    "prints the address of an unreachable database, but not its password",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        const DATABASE_URL = `postgres://me:a-password@127.0.0.1:${port}/matches`
        const { code, lines } = yield* start(yield* temporaryDirectory, { DATABASE_URL })
        assert.strictEqual(code, 1)
        assert.lengthOf(lines, 1)
        assert.include(lines[0] ?? "", `the PostgreSQL at 127.0.0.1:${port}/matches cannot be used`)
        assert.notInclude(lines.join(), "a-password")
      }),
    70_000,
  )

  it.live(
    "prints what to do about a damaged log",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const feed = join(directory, "log", "FEED")
        yield* Effect.promise(async () => {
          await mkdir(feed, { recursive: true })
          await writeFile(join(feed, "0000000000000001.log"), "this is no journal")
          await writeFile(join(feed, "0000000000000009.log"), "nor is this")
        })
        const env: Record<string, string> =
          databaseUrl === null ? {} : { DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl)) }
        const { code, lines } = yield* start(directory, env)
        assert.strictEqual(code, 1)
        assert.lengthOf(lines, 1)
        assert.include(lines[0] ?? "", `Restore ${feed} from a backup, or move it away to start with an empty FEED`)
      }),
    140_000,
  )
})
