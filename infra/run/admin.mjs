// `npm run admin -- <command>`: manages the accounts and keys of a running service. services/gateway/src/admin/cli
// documents the commands.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/gateway/src/admin/cli/main.ts", ...process.argv.slice(2)])
})
