// `node infra/run/metrics.mjs`: writes docs/metrics.md anew, after a metric was added or changed.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/standalone/src/metrics/main.ts"])
})
