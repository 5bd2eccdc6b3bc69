/**
 * Generates a client with a public generator from the document of a running server. The client type-checks under strict
 * settings, its calls are answered and charged, and its types distinguish the kinds of 429.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { createClient } from "@hey-api/openapi-ts"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { termsOf } from "@matchpoint/domain/accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { storedMetering } from "../fixtures/metering/metering.ts"
import { simulatedEvents } from "../fixtures/simulated.ts"
import { announce, feed, Stack, stack } from "../fixtures/stack.ts"
import { customerProgram } from "./customerProgram.ts"

const id = matchId(4_201)
const events = simulatedEvents(42, id)

/** The project's own compiler, not the one that the generator depends on. */
const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))

const tsconfig = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    module: "NodeNext",
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  files: ["program.ts"],
}

const Outcome = Schema.fromJsonString(
  Schema.Struct({
    matchId: Schema.String,
    status: Schema.String,
    charged: Schema.Finite,
    month: Schema.String,
    monthStatus: Schema.Finite,
    second: Schema.String,
    code: Schema.String,
  }),
)

const run = promisify(execFile)
const node = (args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    run(process.execPath, [...args], { timeout: 60_000 }).catch((cause) =>
      Promise.reject(new Error(`${cause.stdout}${cause.stderr}`, { cause })),
    ),
  )

const compilerOutput = (project: string) =>
  Effect.promise(() =>
    run(process.execPath, [tsc, "-p", project], { timeout: 60_000 }).then(
      ({ stdout }) => stdout,
      (failed) => String(failed.stdout),
    ),
  )

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-generated-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
)

const metered = stack(EventLogMemory.layer({ streams }), embeddedMemory, storedMetering)

it.layer(metered, { timeout: 60_000, excludeTestServices: true })("a client generated from openapi.json", (it) => {
  it.effect(
    "is typed, performs charged calls, and types each kind of 429",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Stack
        const { origin } = new URL(url)
        const keys = yield* KeyRegister
        const put = (secret: string, terms: ReturnType<typeof termsOf>) => keys.put({ secret: Redacted.make(secret), terms, label: secret })
        yield* put("mp_test_paid", termsOf("pro"))
        yield* put("mp_test_poor", termsOf("free", { requestsPerMonth: 0 }))
        yield* put("mp_test_hasty", termsOf("starter", { requestsPerSecond: 1 }))
        yield* announce(id)
        yield* feed(events.slice(0, Math.floor(events.length / 2)))
        yield* Effect.promise(() => fetch(`${url}/cs2/live/${id}/scoreboard`, { headers: { "x-api-key": "mp_test_paid" } })).pipe(
          Effect.filterOrFail(({ status }) => status === 200),
          Effect.retry(Schedule.spaced("200 millis")),
          Effect.timeout("20 seconds"),
        )

        const folder = yield* temporaryFolder
        yield* Effect.promise(() =>
          createClient({
            input: `${origin}/openapi.json`,
            output: { path: join(folder, "client"), module: { extension: ".ts" } },
            plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
            logs: { level: "silent", file: false },
          }),
        )
        yield* Effect.promise(() => writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" })))
        yield* Effect.promise(() => writeFile(join(folder, "program.ts"), customerProgram))
        yield* Effect.promise(() => writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig)))
        yield* node([tsc, "-p", folder])
        const wrong = customerProgram.replace("const end: string", "const end: number")
        yield* Effect.promise(() => writeFile(join(folder, "wrong.ts"), wrong))
        yield* Effect.promise(() => writeFile(join(folder, "wrong.json"), JSON.stringify({ ...tsconfig, files: ["wrong.ts"] })))
        assert.include(yield* compilerOutput(join(folder, "wrong.json")), "Type 'string' is not assignable to type 'number'")

        const settings = { baseUrl: origin, paid: "mp_test_paid", poor: "mp_test_poor", hasty: "mp_test_hasty" }
        const { stdout } = yield* node([join(folder, "program.ts"), JSON.stringify(settings)])
        const outcome = yield* Schema.decodeEffect(Outcome)(stdout)
        const { month, second, ...rest } = outcome
        assert.deepStrictEqual(rest, { matchId: id, status: "live", charged: 2, monthStatus: 429, code: "INVALID_API_KEY" })
        assert.match(month, /^requests_per_month: 0 until \d{4}-\d\d-01T00:00:00\.000Z$/)
        assert.match(second, /^requests_per_second: wait \d+ s, 1 a second$/)
      }),
    60_000,
  )
})
