// `npm run format -- [paths]`: formats code and applies the linter's safe fixes, in the given paths or everywhere.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["node_modules/@biomejs/biome/bin/biome", "check", "--write", ...process.argv.slice(2)])
})
