// `npm run import -- ...`: reads files of matches, standings and the like into the archive. Arguments are documented in services/feed/src/import.ts.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/feed/src/import.ts", ...process.argv.slice(2)])
})
