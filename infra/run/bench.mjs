// `npm run bench -- <name> [flags]`: runs test/load/<name>/main.ts, which prints its result as JSON on stdout. The benchmark `start-memory` is
// in the folder `startMemory`.
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Complaint } from "./complaint.mjs"
import { ensureInstalled, root, runNode, script } from "./workspace.mjs"

const folder = join(root, "test", "load")

await script(async () => {
  const [name, ...flags] = process.argv.slice(2)
  const names = benchmarks()
  const usage = `npm run bench -- <name> [flags], where <name> is one of: ${names.join(", ")}. With --help, each prints its flags; with --json, it prints JSON.`
  if (name === "--help" || name === "-h") {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (name === undefined || !names.includes(name)) {
    throw new Complaint(
      `${name === undefined ? "The name of the benchmark is missing." : `The benchmark "${name}" does not exist.`} ${usage}`,
    )
  }
  await ensureInstalled()
  return runNode([`test/load/${folderOf(name)}/main.ts`, ...flags])
})

function benchmarks() {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "main.ts")))
    .map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
    .sort()
}

/** @param {string} name */
function folderOf(name) {
  return name.replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase())
}
