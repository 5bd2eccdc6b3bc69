/**
 * Tests settings of the standalone server: no metering, a configured admin token, PostgreSQL with Redis, invalid
 * settings.
 */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { AccountUsage, CreatedKey } from "@matchpoint/contracts/http/admin/AdminApi"
import { BURST_SECONDS } from "@matchpoint/metering/SharedBuckets"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { freePort } from "@matchpoint/testing/freePorts"
import { Clock, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { bundled } from "../../../infra/bundle.mjs"
import { Standalone } from "../../fixtures/Standalone.ts"
import { type Ran, runAdmin } from "./adminCommand.ts"

const TOKEN = "an-admin-token-of-our-own"

const run = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(url: string, schema: S, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* runAdmin([...args, "--url", url, "--json"], { MATCHPOINT_ADMIN_TOKEN: TOKEN })
  assert.strictEqual(code, 0, stderr)
  return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(stdout))
})

const statusOf = (url: string, headers: Record<string, string>) =>
  Effect.promise(async () => {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) })
    await answer.body?.cancel()
    return answer.status
  })

const call = (url: string, secret: string) => statusOf(`${url}/api/v1/cs2/live`, { "x-api-key": secret })

const banner = Effect.flatMap(Standalone, ({ output }) =>
  output.pipe(
    Effect.repeat({ until: (text) => text.includes("Ctrl-C"), schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("20 seconds"),
  ),
)

const unmetered = { MATCHPOINT_METERING: "off", MATCHPOINT_ADMIN_TOKEN: TOKEN, HOST: "0.0.0.0" }

it.layer(Standalone.layer({ matches: 0, speed: 1, env: unmetered }), { excludeTestServices: true, timeout: "60 seconds" })(
  "without metering, reachable from other machines",
  (it) => {
    it.effect("limits and counts nothing", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const key = yield* run(url, CreatedKey, "keys", "create", "--plan", "free", "--label", "busy", "--requests-per-month", "3")
        const statuses = yield* Effect.all(
          Array.from({ length: 20 }, () => call(url, key.secret)),
          { concurrency: 5 },
        )
        assert.isTrue(
          statuses.every((status) => status === 200),
          statuses.join(" "),
        )
        const usage = yield* run(url, AccountUsage, "usage", "show", key.accountId)
        assert.deepInclude(usage, { quota: 3, total: 0 })
      }),
    )

    it.effect("accepts the configured admin token and rejects the development token", () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        assert.strictEqual(yield* statusOf(`${url}/admin/v1/accounts`, { "x-admin-token": TOKEN }), 200)
        assert.strictEqual(yield* statusOf(`${url}/admin/v1/accounts`, { "x-admin-token": "mp_dev_admin" }), 401)
        assert.notInclude(yield* banner, "mp_dev_admin")
      }),
    )

    it.effect("warns that the development keys are public if other machines can connect", () =>
      Effect.map(banner, (text) => assert.match(text, /WARNING: with HOST=0\.0\.0\.0, .* are public/)),
    )
  },
)

const databaseUrl = inject("databaseUrl")
const redisUrl = inject("redisUrl")

describe.skipIf(databaseUrl === null || redisUrl === null)("two gateways on one PostgreSQL and one Redis", () => {
  const shared = Effect.gen(function* () {
    const own = yield* temporaryDatabase(databaseUrl ?? "")
    const env = { DATABASE_URL: Redacted.value(own), REDIS_URL: redisUrl ?? "" }
    const gateway = (more: Record<string, string>) =>
      Effect.map(Layer.build(Layer.fresh(Standalone.layer({ matches: 0, speed: 1, env: { ...env, ...more } }))), (context) =>
        Effect.provide(Standalone, context),
      )
    return { first: yield* yield* gateway({ MATCHPOINT_ADMIN_TOKEN: TOKEN }), second: yield* yield* gateway({}) }
  })

  it.live(
    "share a key's rate and its revocation, and have no admin API without a token",
    () =>
      Effect.gen(function* () {
        const { first, second } = yield* shared
        assert.strictEqual(yield* statusOf(`${second.url}/admin/v1/accounts`, { "x-admin-token": "mp_dev_admin" }), 404)
        assert.strictEqual(yield* call(first.url, "mp_dev_pro"), 401)

        const rate = 2
        const oneRate = Effect.gen(function* () {
          const args = ["keys", "create", "--plan", "pro", "--label", "shared", "--requests-per-second", String(rate)]
          const key = yield* run(first.url, CreatedKey, ...args)
          const begun = yield* Clock.currentTimeMillis
          const calls = Array.from({ length: 24 }, (_, n) => call(n % 2 === 0 ? first.url : second.url, key.secret))
          const statuses = yield* Effect.all(calls, { concurrency: 6 })
          const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1_000
          const served = statuses.filter((status) => status === 200).length
          if (served > rate * BURST_SECONDS + Math.ceil(rate * seconds)) return yield* Effect.fail(`${served} in ${seconds} s`)
          assert.isAtLeast(served, rate)
          return key
        })
        // If Redis answers too late, a gateway limits on its own. On a busy machine this may happen once, but not every
        // time.
        const key = yield* Effect.retry(oneRate, { times: 4 })

        yield* runAdmin(["keys", "revoke", key.keyId, "--url", first.url], { MATCHPOINT_ADMIN_TOKEN: TOKEN })
        const revokedAt = yield* Clock.currentTimeMillis
        for (const { url } of [first, second]) {
          yield* call(url, key.secret).pipe(Effect.repeat({ until: (status) => status === 401, schedule: Schedule.spaced("200 millis") }))
        }
        assert.isAtMost((yield* Clock.currentTimeMillis) - revokedAt, 5_000)
      }),
    120_000,
  )
})

describe("invalid settings end the start with the reason", () => {
  const start = Effect.fnUntraced(function* (env: Record<string, string>) {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-settings-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true, maxRetries: 5 })),
    )
    const port = yield* freePort
    return yield* Effect.callback<Ran>((resume) => {
      const settings = { PORT: String(port), MATCHPOINT_DATA_DIRECTORY: directory, MATCHPOINT_SIMULATED_MATCHES: "0", ...env }
      const child = spawn(process.execPath, [main], { env: settings, stdio: ["ignore", "pipe", "pipe"], timeout: 40_000 })
      const [stdout, stderr]: [Array<string>, Array<string>] = [[], []]
      child.stdout.on("data", (chunk) => stdout.push(String(chunk)))
      child.stderr.on("data", (chunk) => stderr.push(String(chunk)))
      child.once("close", (code) => resume(Effect.succeed({ code, stdout: stdout.join(""), stderr: stderr.join("") })))
      return Effect.sync(() => child.kill("SIGKILL"))
    })
  })

  it.live.each([
    [{ MATCHPOINT_ADMIN_TOKEN: "short" }, "MATCHPOINT_ADMIN_TOKEN must be 16 characters"],
    [{ MATCHPOINT_METERING: "no" }, "MATCHPOINT_METERING"],
    [{ REDIS_URL: "somewhere" }, "REDIS_URL must be an address"],
    [{ REDIS_URL: "redis://user:a-password@127.0.0.1:9" }, "the Redis at redis://127.0.0.1:9 cannot be used"],
  ] as const)(
    "%o",
    ([env, expected]) =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* start({ ...env })
        assert.strictEqual(code, 1)
        assert.include(stdout + stderr, expected)
        assert.notInclude(stdout + stderr, "a-password")
      }),
    60_000,
  )
})

const main = await bundled("services/standalone/src/main.ts")
