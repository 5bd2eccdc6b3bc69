// `npm run test:full -- [vitest arguments]`: runs the tests that take minutes, on all recorded data in the data folder.
// Without that folder the tests are skipped and the output says so. `npm test` leaves them out.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.full.config.ts", ...process.argv.slice(2)])
})
