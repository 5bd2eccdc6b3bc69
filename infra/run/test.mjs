// `npm test -- [vitest arguments]`: runs all checks and then the tests, and stops at the first check that fails. The
// last line of output counts the tests. It starts no services: test/setup/services.ts detects the ones that are
// running.
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
    if (!existsSync(countsFile)) return code // no test run, for example `npm test -- --help`
    const counts = JSON.parse(readFileSync(countsFile, "utf8"))
    const { numFailedTests: failed, numPassedTests: passed } = counts
    const skipped = counts.numPendingTests + counts.numTodoTests
    // A run that fails as a whole, for example during setup, counts as one failure. "0 failed" therefore always means
    // success.
    process.stdout.write(`${passed} passed, ${Math.max(failed, code === 0 ? 0 : 1)} failed, ${skipped} skipped\n`)
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
