// `npm run replay -- ...`: plays a recorded match into a running service. services/feed/src/replay.ts documents the
// arguments.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/feed/src/replay.ts", ...process.argv.slice(2)])
})
