/** Tests `/metrics`: one prefix, base units, labels that clients cannot extend, and a page generated from the code. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { HttpMetrics } from "@matchpoint/process/http/HttpMetrics"
import { catalog } from "@matchpoint/service-standalone/metrics/catalog"
import { metricsDocument } from "@matchpoint/service-standalone/metrics/metricsDocument"
import { Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

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
  it.effect("docs/operators/metrics.md matches the code; `node infra/run.mjs metrics` generates it", () =>
    Effect.gen(function* () {
      const page = yield* Effect.promise(() => readFile(join(root, "docs/operators/metrics.md"), "utf8"))
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
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )
})
