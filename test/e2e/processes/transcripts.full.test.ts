/** Tests a transcripts process: it starts, reports its health, finds jobs, and ends on SIGTERM. */
import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { eventually } from "@matchpoint/testing/realTime"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { serviceProcess } from "../../fixtures/processes/serviceProcess.ts"

const databaseUrl = inject("databaseUrl")

describe.skipIf(databaseUrl === null)("a transcripts process", () => {
  it.live(
    "starts without its tools, reports which are missing, and ends within 5 s",
    () =>
      Effect.gen(function* () {
        const worker = yield* serviceProcess("transcripts", {
          DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")),
          MATCHPOINT_TRANSCRIPTS_WEIGHTS: "/missing.bin",
          MATCHPOINT_TRANSCRIPTS_PATH: "/missing",
        })
        yield* eventually(Effect.map(worker.output, (text) => text.includes("transcripts cannot be made")))
        const { code, ms, signal } = yield* worker.stop
        assert.strictEqual(signal, null)
        assert.include([0, 130], code)
        assert.isBelow(ms, 5_000)
      }),
    120_000,
  )
})
