/** Returns the content of `docs/operators/metrics.md`, generated from the metric catalog. */
import type { catalog as Catalog } from "./catalog.ts"

export const metricsDocument = (catalog: typeof Catalog): string =>
  [
    "# Metrics",
    "",
    "`GET /metrics` returns all metrics in the Prometheus text format. Every name starts with `matchpoint_`. Units are",
    "seconds, bytes and ratios. Counters end in `_total`. A series appears with its first value. This page is generated from",
    "the code by `node infra/run.mjs metrics`.",
    ...catalog.flatMap(({ metrics, title }) => [
      "",
      `## ${title}`,
      "",
      "| name | type | labels | |",
      "| --- | --- | --- | --- |",
      ...metrics.map(
        ({ labels = [], metric }) =>
          `| \`${metric.id}\` | ${metric.type.toLowerCase()} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${metric.description ?? ""} |`,
      ),
    ]),
    "",
  ].join("\n")
