// `npm test -- [vitest arguments]`: the fast checks, then the tests, up to the first check that fails.
// The last line printed counts the tests. It starts no service: test/setup/services.ts finds those that run already.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runChecks } from "./checks.mjs"
import { ensureInstalled, runNode, script } from "./workspace.mjs"

await script(async () => {
  await ensureInstalled()
  const code = await runChecks()
  if (code !== 0) return code
  return runTests(process.argv.slice(2))
})

/** @param {ReadonlyArray<string>} args */
async function runTests(args) {
  process.stdout.write("tests ...\n")
  const folder = mkdtempSync(join(tmpdir(), "matchpoint-test-"))
  const countsFile = join(folder, "counts.json")
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${countsFile}`]
    const code = await runNode(["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args])
    if (!existsSync(countsFile)) return code // not a run: `npm test -- --help` and the like
    const counts = JSON.parse(readFileSync(countsFile, "utf8"))
    const { numFailedTests: failed, numPassedTests: passed } = counts
    const skipped = counts.numPendingTests + counts.numTodoTests
    // A run that fails as a whole, in its setup for instance, is one failure too: "0 failed" always means that it is good.
    process.stdout.write(`${passed} passed, ${Math.max(failed, code === 0 ? 0 : 1)} failed, ${skipped} skipped\n`)
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
