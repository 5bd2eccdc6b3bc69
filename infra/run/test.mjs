// `npm test -- [vitest arguments]`: runs all checks and then the tests, fastest first, and stops at the first check
// that fails. The last line of output counts the tests. It starts no services: test/setup/services.ts detects the ones
// that are running.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensureInstalled, pinnedNode, root, runNode, script } from "./workspace.mjs"

const checks = [
  { title: "types", args: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"] },
  {
    title: "effect diagnostics",
    args: ["node_modules/@effect/tsgo/dist/effect-tsgo.cjs", "diagnostics", "--project", "tsconfig.json", "--strict", "--format", "text"],
  },
  {
    title: "lint and format", // `ci` colours its output even where it is captured.
    args: ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`],
  },
  { title: "directions", args: ["infra/check/main.mjs"] },
]

await script(async () => {
  await ensureInstalled()
  for (const { args, title } of checks) {
    const since = performance.now()
    process.stdout.write(`${title} ... `)
    const { code, output } = await runQuietly(args)
    process.stdout.write(`${code === 0 ? "ok" : "FAILED"} (${seconds(since)})\n`)
    if (code !== 0) {
      process.stdout.write(output)
      return code
    }
  }
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

/**
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
function runQuietly(args) {
  const child = spawn(pinnedNode(), [...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
  /** @type {Array<Buffer>} */
  const chunks = []
  child.stdout.on("data", (chunk) => chunks.push(chunk))
  child.stderr.on("data", (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString("utf8") }))
  })
}

/** @param {number} since */
function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
