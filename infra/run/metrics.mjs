// `node infra/run/metrics.mjs`: rewrites docs/metrics.md. Run it after adding or changing a metric.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/standalone/src/metrics/main.ts"])
})
