// `npm run build:client`: the package that customers install, in packages/client/dist.
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  return runNode(["packages/client/build.mjs"])
})
