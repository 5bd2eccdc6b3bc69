// `npm run simulate -- --seeds 1000`: runs simulated hours against the real services. test/simulation/main.ts documents
// the arguments.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["test/simulation/main.ts", ...process.argv.slice(2)])
})
