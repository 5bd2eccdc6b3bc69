// `npm run simulate -- --seeds 1000`: plays simulated hours against the real services. Arguments are documented in test/simulation/main.ts.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["test/simulation/main.ts", ...process.argv.slice(2)])
})
