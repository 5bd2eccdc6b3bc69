// `npm start`: the whole service in one process on embedded parts. Arguments and environment go through to it.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  // Under load most of what is allocated dies young; with Node's 16 MB a third of the time would go into collecting it.
  return runNode(["--max-semi-space-size=64", "services/standalone/src/main.ts", ...process.argv.slice(2)])
})
