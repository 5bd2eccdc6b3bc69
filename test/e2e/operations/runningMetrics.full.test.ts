import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Effect, Redacted, Schedule } from "effect"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const databaseUrl = inject("databaseUrl")

/**
 * Metrics of a server that runs matches and has answered requests. `store_embedded` and counters of faults may be
 * absent.
 */
const expected = [
  'build_info{version="',
  "process_start_time_seconds",
  'process_cpu_seconds_total{mode="user"}',
  "process_resident_memory_bytes",
  'loop_lag_seconds{quantile="0.99"}',
  "loop_utilization_ratio",
  'http_requests_total{route="/api/v1/cs2/live/:matchId/scoreboard",method="GET",code="401"} 2',
  'http_requests_total{route="unmatched",method="GET",code="404"} 1',
  'http_request_duration_seconds_count{route="/health",method="GET"}',
  "gateway_frames_total",
  "log_up 1",
  "log_lag_records",
  "feed_oldest_age_seconds",
  "database_pool_connections 10",
  "database_operations_running",
  "database_operation_duration_seconds_count",
  "ledger_up 1",
  "match_running 6",
]

describe.skipIf(databaseUrl === null)("a running server", () => {
  it.live(
    "shows process, loop, HTTP, frames, log, feed, database and ledger; routes are patterns",
    () =>
      Effect.gen(function* () {
        const env = { DATABASE_URL: Redacted.value(yield* temporaryDatabase(databaseUrl ?? "")) }
        yield* Effect.gen(function* () {
          const { url } = yield* Standalone
          const get = (path: string) =>
            Effect.promise(async () => {
              const answer = await fetch(`${url}${path}`)
              return { status: answer.status, text: await answer.text() }
            })
          assert.strictEqual((yield* get("/api/v1/cs2/live/cs2-match-1001/scoreboard")).status, 401)
          assert.strictEqual((yield* get("/api/v1/cs2/live/cs2-match-1002/scoreboard?apiKey=a-secret")).status, 401)
          assert.strictEqual((yield* get("/made/up/by/a/client")).status, 404)
          const { text } = yield* get("/metrics").pipe(
            Effect.repeat({ until: ({ text }) => /match_running 6$/m.test(text), schedule: Schedule.spaced("500 millis") }),
            Effect.timeout("60 seconds"),
          )
          for (const start of expected) assert.include(text, `matchpoint_${start}`)
          for (const line of text.trimEnd().split("\n")) assert.match(line, /^(?:# (?:HELP|TYPE) )?matchpoint_/)
          for (const secret of ["cs2-match-1001", "a-secret", "made/up"]) assert.notInclude(text, secret)
        }).pipe(Effect.provide(Standalone.layer({ matches: 2, speed: 20, env })))
      }),
    240_000,
  )
})
