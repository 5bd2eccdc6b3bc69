// `npm run format -- [paths]`: formats and applies the linter's safe fixes, everywhere or in the given paths.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["node_modules/@biomejs/biome/bin/biome", "check", "--write", ...process.argv.slice(2)])
})
