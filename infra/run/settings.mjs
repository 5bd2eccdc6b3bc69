// `node infra/run/settings.mjs`: generates docs/settings.md and .env.example. Run it after a setting was added or changed.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["services/standalone/src/settings/main.ts"])
})
