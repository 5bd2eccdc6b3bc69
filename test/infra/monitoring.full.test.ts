/** Validates the configuration of Prometheus, its alerts and the dashboard of Grafana. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"
import { assert, describe, inject, it } from "vitest"
import { anchorsOf, readPage, root } from "../documents/pages.ts"
import { parseYaml, readInfra } from "./infraFiles.ts"
import { seriesIn, seriesNames } from "./names.ts"
import { runProgram } from "./programs.ts"

const promtool = inject("promtool") ?? ""
const folder = join(root, "infra/prometheus")

const Rules = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          expr: Schema.String,
          labels: Schema.Struct({ severity: Schema.Literals(["page", "ticket"]) }),
          annotations: Schema.Struct({ summary: Schema.String, runbook: Schema.String }),
        }),
      ),
    }),
  ),
})
const Tests = Schema.Struct({
  tests: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      alert_rule_test: Schema.Array(
        Schema.Struct({ alertname: Schema.String, exp_alerts: Schema.optional(Schema.NonEmptyArray(Schema.Unknown)) }),
      ),
    }),
  ),
})
const Targets = Schema.Struct({
  scrape_configs: Schema.Array(
    Schema.Struct({
      job_name: Schema.String,
      metrics_path: Schema.String,
      static_configs: Schema.Array(Schema.Struct({ targets: Schema.Array(Schema.String) })),
    }),
  ),
})
const Query = Schema.Struct({ expr: Schema.String })
const Position = Schema.Struct({ x: Schema.Number, y: Schema.Number, w: Schema.Number, h: Schema.Number })
const Dashboard = Schema.Struct({
  uid: Schema.String,
  title: Schema.String,
  panels: Schema.Array(
    Schema.Struct({
      id: Schema.Number,
      type: Schema.Literals(["row", "timeseries", "stat"]),
      title: Schema.NonEmptyString,
      gridPos: Position,
      datasource: Schema.optional(Schema.Struct({ uid: Schema.String })),
      targets: Schema.optional(Schema.Array(Query)),
    }),
  ),
})
const Composed = Schema.Struct({ services: Schema.Record(Schema.String, Schema.Unknown) })
const Sources = Schema.Struct({ datasources: Schema.Array(Schema.Struct({ uid: Schema.String, url: Schema.String })) })

const rules = Schema.decodeUnknownSync(Rules)(parseYaml(readInfra("prometheus/alerts.yml"))).groups.flatMap((group) => group.rules)
const dashboard = Schema.decodeUnknownSync(Dashboard)(JSON.parse(readInfra("grafana/dashboards/operator.json")))
const queries = dashboard.panels.flatMap(({ targets = [], title }) => targets.map(({ expr }) => ({ title, expr })))

describe("infra/prometheus", () => {
  it.skipIf(promtool === "")("promtool accepts the configuration and the rules", () => {
    assert.deepInclude(runProgram(promtool, ["check", "config", "prometheus.yml"], { cwd: folder }), { code: 0 })
    const { code, output } = runProgram(promtool, ["test", "rules", "alertsTest.yml"], { cwd: folder })
    assert.strictEqual(code, 0, output)
  })

  it("every alert has a test in which it is silent first and fires later", () => {
    const { tests } = Schema.decodeUnknownSync(Tests)(parseYaml(readInfra("prometheus/alertsTest.yml")))
    assert.sameMembers(
      tests.map(({ name }) => name),
      rules.map(({ alert }) => alert),
    )
    for (const { alert_rule_test: steps, name } of tests) {
      assert.deepStrictEqual(
        steps.map(({ alertname, exp_alerts = [] }) => [alertname, exp_alerts.length]),
        [
          [name, 0],
          [name, 1],
        ],
      )
    }
  })

  it("every alert uses metrics of ours and leads to a section of the operators' page", () => {
    const sections = anchorsOf(readPage("docs/operators/operations.md"))
    for (const { alert, annotations, expr } of rules) {
      for (const name of seriesIn(expr)) assert.isTrue(seriesNames.has(name), `${alert}: ${name}`)
      assert.strictEqual(annotations.runbook, `docs/operators/operations.md#${alert.toLowerCase()}`)
      assert.include(sections, alert.toLowerCase())
    }
  })

  it("reads the metrics of every process of infra/compose.yaml on its admin port", () => {
    const { scrape_configs: jobs } = Schema.decodeUnknownSync(Targets)(parseYaml(readInfra("prometheus/prometheus.yml")))
    const targets = jobs.flatMap(({ static_configs: groups }) => groups.flatMap((group) => group.targets))
    const { services } = Schema.decodeUnknownSync(Composed)(parseYaml(readInfra("compose.yaml")))
    const processes = Object.keys(services).filter((name) => /-\d+$/.test(name))
    assert.sameMembers(
      targets,
      processes.map((name) => `${name}:9090`),
    )
    assert.deepStrictEqual(
      jobs.map((job) => [job.job_name, job.metrics_path]),
      [["matchpoint", "/metrics"]],
    )
  })
})

const Alertmanager = Schema.Struct({
  route: Schema.Struct({
    receiver: Schema.String,
    routes: Schema.Array(Schema.Struct({ receiver: Schema.String, matchers: Schema.Array(Schema.String) })),
  }),
  receivers: Schema.Array(
    Schema.Struct({ name: Schema.String, webhook_configs: Schema.Array(Schema.Struct({ url_file: Schema.String })) }),
  ),
})

describe("infra/prometheus/alertmanager.yml", () => {
  it("gets the alerts of Prometheus and sends each to a receiver, whose address compose mounts", () => {
    const Alerting = Schema.Struct({
      alerting: Schema.Struct({
        alertmanagers: Schema.NonEmptyArray(
          Schema.Struct({ static_configs: Schema.Array(Schema.Struct({ targets: Schema.Array(Schema.String) })) }),
        ),
      }),
    })
    const { alerting } = Schema.decodeUnknownSync(Alerting)(parseYaml(readInfra("prometheus/prometheus.yml")))
    assert.deepStrictEqual(alerting.alertmanagers[0].static_configs, [{ targets: ["alertmanager:9093"] }])
    const { receivers, route } = Schema.decodeUnknownSync(Alertmanager)(parseYaml(readInfra("prometheus/alertmanager.yml")))
    const known = receivers.filter((receiver) => receiver.webhook_configs.length > 0).map(({ name }) => name)
    for (const { receiver } of [route, ...route.routes]) assert.include(known, receiver)
    for (const { matchers } of route.routes) assert.deepStrictEqual(matchers, ['severity = "ticket"'])
    const compose = readInfra("compose.yaml")
    for (const { webhook_configs: hooks } of receivers) for (const { url_file } of hooks) assert.include(compose, `:${url_file}:ro`)
  })
})

describe("infra/grafana", () => {
  it("every panel of the dashboard has queries on metrics of ours and on the provisioned source", () => {
    const { datasources } = Schema.decodeUnknownSync(Sources)(parseYaml(readInfra("grafana/provisioning/datasources/prometheus.yml")))
    for (const { datasource, targets = [], title, type } of dashboard.panels) {
      assert.strictEqual(targets.length > 0, type !== "row", title)
      if (type !== "row") assert.strictEqual(datasource?.uid, datasources[0]?.uid, title)
    }
    assert.isAbove(queries.length, 30)
    for (const { expr, title } of queries) for (const name of seriesIn(expr)) assert.isTrue(seriesNames.has(name), `${title}: ${name}`)
  })

  it("panels have their own ids and do not overlap", () => {
    const ids = dashboard.panels.map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    )
    assert.strictEqual(new Set(cells).size, cells.length)
    for (const { gridPos } of dashboard.panels) assert.isAtMost(gridPos.x + gridPos.w, 24)
  })

  it.skipIf(promtool === "")("promtool accepts every query of the dashboard", () => {
    const temporary = mkdtempSync(join(tmpdir(), "matchpoint-infra-"))
    try {
      const recorded = queries.map(({ expr }, index) => ({ record: `query_${index}`, expr }))
      // JSON is YAML.
      writeFileSync(join(temporary, "queries.yml"), JSON.stringify({ groups: [{ name: "queries", rules: recorded }] }))
      const { code, output } = runProgram(promtool, ["check", "rules", "queries.yml"], { cwd: temporary })
      assert.strictEqual(code, 0, output)
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
  })

  it("provisions the folder that has the dashboard", () => {
    assert.include(readInfra("grafana/provisioning/dashboards/matchpoint.yml"), "path: /etc/grafana/dashboards")
    assert.deepStrictEqual(readdirSync(join(root, "infra/grafana/dashboards")), ["operator.json"])
  })
})
