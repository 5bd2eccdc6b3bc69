// `npm run import -- ...`: imports files of matches, standings and other data into the archive.
// services/feed/src/import.ts documents the arguments.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/feed/src/import.ts", ...process.argv.slice(2)])
})
