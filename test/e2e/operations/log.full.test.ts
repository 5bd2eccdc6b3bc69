/**
 * Tests the log of the process: repeated lines are summarised, JSON lines are valid, and lines of a request carry its
 * id.
 */
import { assert, describe, it } from "@effect/vitest"
import { limitingRepeats, logOutput } from "@matchpoint/process/logging/LogOutput"
import { RepeatLimit } from "@matchpoint/process/logging/RepeatLimit"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Cause, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { cuttableProxy } from "../../fixtures/outages.ts"
import { Standalone } from "../../fixtures/Standalone.ts"

describe("RepeatLimit", () => {
  it("admits the first line of a kind, counts the rest, and forgets a kind that has stopped", () => {
    const limit = new RepeatLimit<string>()
    const admit = (logLine: string) => limit.admit("Error", logLine, logLine)
    assert.deepStrictEqual(["match 1 failed", "match 2 failed", "no disk"].map(admit), [true, false, true])
    assert.isTrue(limit.admit("Warn", "match 1 failed", "another level"))
    assert.deepStrictEqual(limit.endWindow(), [{ line: "match 2 failed", count: 1 }])
    // The kind continues, so the line is only counted.
    assert.isFalse(admit("match 3 failed"))
    assert.deepStrictEqual(limit.endWindow(), [{ line: "match 3 failed", count: 1 }])
    assert.deepStrictEqual(limit.endWindow(), [])
    assert.isTrue(admit("match 4 failed"))
  })

  it("limits the number of kinds and admits lines beyond that limit", () => {
    const limit = new RepeatLimit<number>()
    const letters = (n: number) => [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("")
    for (let n = 0; n < 2_000; n++) assert.isTrue(limit.admit("Error", letters(n), n))
    assert.isFalse(limit.admit("Error", letters(1), 1))
    assert.isTrue(limit.admit("Error", letters(1_999), 1))
  })
})

describe("repeated errors", () => {
  it.effect("write one line in full and one summary per window; information is never suppressed", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const output = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
        lines.push(
          `${logLevel} ${String(Array.isArray(message) ? message[0] : message)}${cause === Cause.empty || cause.reasons.length === 0 ? "" : " + cause"}`,
        )
      })
      const program = Effect.gen(function* () {
        for (let n = 0; n < 500; n++) yield* Effect.logError(`match ${n} cannot be stored`, Cause.fail("away"))
        for (let n = 0; n < 3; n++) yield* Effect.logInfo("a match has begun")
        yield* TestClock.adjust("10 seconds")
        yield* Effect.logError("match 7 cannot be stored")
        yield* Effect.logError("match 8 cannot be stored")
      })
      yield* Effect.provide(program, Logger.layer([limitingRepeats(output)]))
      assert.deepStrictEqual(lines, [
        "Error match 0 cannot be stored + cause",
        "Info a match has begun",
        "Info a match has begun",
        "Info a match has begun",
        "Error repeated 499 times within 10 s: match 499 cannot be stored",
        // Counted lines are written at the end of the process.
        "Error repeated 2 times within 10 s: match 8 cannot be stored",
      ])
    }),
  )

  it.effect("are omitted below the level", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const listening = Logger.layer([Logger.make<unknown, void>(({ message }) => void lines.push(message))])
      const program = Effect.all([Effect.logDebug("debug"), Effect.logInfo("info"), Effect.logWarning("warning")])
      yield* Effect.provide(program, Layer.merge(logOutput({ log: "text", logLevel: "warning" }), listening))
      assert.deepStrictEqual(lines, [["warning"]])
    }),
  )
})

const databaseUrl = inject("databaseUrl")

describe.skipIf(databaseUrl === null)("a server whose database is unreachable", () => {
  it.live(
    "logs few lines, all of them JSON, and lines of a request carry its id",
    () =>
      Effect.gen(function* () {
        const database = yield* cuttableProxy(Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")))
        const env = { DATABASE_URL: database.url, MATCHPOINT_LOG: "json" }
        yield* Effect.gen(function* () {
          const { output, url } = yield* Standalone
          // Waits until the matches of all games are running and write to the database.
          yield* Effect.tryPromise(() => fetch(`${url}/metrics`).then((answer) => answer.text())).pipe(
            Effect.repeat({ until: (text) => /running 11$/m.test(text), schedule: Schedule.spaced("200 millis") }),
            Effect.timeout("60 seconds"),
          )
          const before = (yield* output).length
          yield* database.block
          yield* Effect.tryPromise(() =>
            fetch(`${url}/api/v1/cs2/live`, { headers: { "x-api-key": "mp_live_unknown", "x-request-id": "request-of-the-test" } }),
          )
          yield* Effect.sleep("25 seconds")
          const lines = (yield* output).slice(before).trimEnd().split("\n")
          assert.isAtLeast(lines.length, 3)
          assert.isBelow(lines.length, 150)
          const parsed = lines.map((line): { readonly message: unknown; readonly level: string } => JSON.parse(line))
          assert.isTrue(parsed.some(({ message }) => /repeated [0-9]+ times within 10 s/.test(JSON.stringify(message))))
          assert.isTrue(lines.some((line) => line.includes("request-of-the-test")))
          yield* database.unblock
        }).pipe(Effect.provide(Standalone.layer({ matches: 4, speed: 20, env })))
      }),
    240_000,
  )
})
