/** Tests `/metrics`: one prefix, base units, labels that clients cannot extend, and a page generated from the code. */

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { HttpMetrics } from "@matchpoint/service-gateway/http/HttpMetrics"
import { catalog } from "@matchpoint/service-standalone/metrics/catalog"
import { metricsDocument } from "@matchpoint/service-standalone/metrics/metricsDocument"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Effect, Redacted, Schedule } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const documented = catalog.flatMap(({ metrics }) => metrics)

/** Names of the metrics that the source files define. */
const definedNames = Effect.promise(async () => {
  const names: Array<string> = []
  for (const group of ["packages", "services"]) {
    for (const packageName of await readdir(join(root, group))) {
      const folder = join(root, group, packageName, "src")
      for (const file of await readdir(folder, { recursive: true })) {
        if (!file.endsWith(".ts")) continue
        const text = await readFile(join(folder, file), "utf8")
        for (const [, name] of text.matchAll(/Metric\.(?:counter|gauge|histogram|summary|frequency|timer)\(\s*"([^"]+)"/g))
          names.push(name ?? "")
      }
    }
  }
  return names
})

describe("metrics", () => {
  it.effect("docs/metrics.md matches the code; `node infra/run/metrics.mjs` generates it", () =>
    Effect.gen(function* () {
      const page = yield* Effect.promise(() => readFile(join(root, "docs/metrics.md"), "utf8"))
      assert.strictEqual(page, metricsDocument(catalog))
    }),
  )

  it.effect("the catalog has every metric of the source files once, with the prefix, a base unit and a description", () =>
    Effect.gen(function* () {
      const names = documented.map(({ metric }) => metric.id)
      assert.deepStrictEqual([...(yield* definedNames)].sort(), [...names].sort())
      for (const { metric } of documented) {
        assert.match(metric.id, /^matchpoint_[a-z_]+$/)
        assert.notMatch(metric.id, /_(?:ms|millis|minutes|kb|mb|percent)(?:_|$)/)
        assert.strictEqual(metric.id.endsWith("_total"), metric.type === "Counter", metric.id)
        if (metric.type === "Histogram") assert.match(metric.id, /_(?:seconds|bytes)$/)
        assert.isNotEmpty(metric.description ?? "")
      }
    }),
  )

  it.effect("unknown methods and paths share one series", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<never>()
      const metrics = new HttpMetrics(context)
      for (let n = 0; n < 50; n++) metrics.answered(undefined, `METHOD${n}`, 404, 0.001)
      metrics.answered("*", "GET", 404, 0.001)
      const lines = PrometheusMetrics.formatUnsafe(context).split("\n")
      const counted = lines.filter((line) => line.startsWith("matchpoint_http_requests_total{"))
      assert.includeMembers(counted, [
        'matchpoint_http_requests_total{route="unmatched",method="other",code="404"} 50',
        'matchpoint_http_requests_total{route="unmatched",method="GET",code="404"} 1',
      ])
    }),
  )
})

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
  "match_running 2",
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
            Effect.repeat({ until: ({ text }) => /match_running 2$/m.test(text), schedule: Schedule.spaced("500 millis") }),
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
