// `npm run test:full -- [vitest arguments]`: the tests that take minutes, of everything that is in the folder of recorded data. Without that
// folder they are skipped, and the run says so. `npm test` leaves them out.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.full.config.ts", ...process.argv.slice(2)])
})
