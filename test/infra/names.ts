/**
 * Names that the files in infra/ share with the code: settings and metrics. Read from the generated pages docs/operators/settings.md
 * and docs/operators/metrics.md, which other tests compare with the code.
 */
import { readPage } from "../documents/pages.ts"

const namesIn = (file: string): ReadonlyArray<string> =>
  Array.from(readPage(file).matchAll(/^\| `([A-Za-z_]+)` \|/gm), ([, name = ""]) => name)

/** Environment variables of the processes. */
export const settingNames: ReadonlySet<string> = new Set(namesIn("docs/operators/settings.md"))

/** Names of series: of each metric, and of the three series of each histogram. */
export const seriesNames: ReadonlySet<string> = new Set(
  Array.from(readPage("docs/operators/metrics.md").matchAll(/^\| `([a-z_]+)` \| (\w+) \|/gm)).flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
)

/** Names of our metrics in an expression of Prometheus. */
export const seriesIn = (expression: string): ReadonlyArray<string> => expression.match(/\bmatchpoint_[a-z_]+/g) ?? []
