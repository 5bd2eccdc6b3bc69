// `npm run admin -- <command>`: accounts and keys of a running service. Commands are documented in services/gateway/src/admin/cli.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/gateway/src/admin/cli/main.ts", ...process.argv.slice(2)])
})
