// `npm run check -- [names]`: the fast checks, without the tests. `npm run lint` and `npm run typecheck` are one of them each.
import { runChecks } from "./checks.mjs"
import { ensureInstalled, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runChecks(process.argv.slice(2))
})
