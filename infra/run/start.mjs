// `npm start`: runs the whole service in one process with an embedded database and log. Arguments and environment
// variables are passed through.
import { allocatorSettings, nodeFlags } from "./nodeFlags.mjs"
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode([...nodeFlags, "services/standalone/src/main.ts", ...process.argv.slice(2)], allocatorSettings)
})
