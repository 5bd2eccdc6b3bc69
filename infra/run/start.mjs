// `npm start`: the whole service in one process on embedded parts. Arguments and environment go through to it.
import { allocatorSettings, nodeFlags } from "./nodeFlags.mjs"
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode([...nodeFlags, "services/standalone/src/main.ts", ...process.argv.slice(2)], allocatorSettings)
})
