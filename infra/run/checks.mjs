/** The fast checks: list, and how to run them. `npm run check` runs all of them, `npm test` runs them before the tests. */
import { spawn } from "node:child_process"
import { Complaint } from "./complaint.mjs"
import { pinnedNode, root } from "./workspace.mjs"

/** @typedef {{ readonly name: string, readonly title: string, readonly args: ReadonlyArray<string> }} Check */

/** @type {ReadonlyArray<Check>} */
const checks = [
  { name: "types", title: "types", args: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"] },
  {
    name: "diagnostics",
    title: "effect diagnostics",
    args: ["node_modules/@effect/tsgo/dist/effect-tsgo.cjs", "diagnostics", "--project", "tsconfig.json", "--strict", "--format", "text"],
  },
  {
    name: "lint",
    title: "lint and format", // `ci` colours its output even where it is captured.
    args: ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`],
  },
  { name: "directions", title: "directions", args: ["infra/check/main.mjs"] },
]

/**
 * Runs the named checks, or all of them, up to the first that fails. Prints a line per check, and the output of the one that fails.
 * Resolves with the exit code.
 * @param {ReadonlyArray<string>} [names]
 * @returns {Promise<number>}
 */
export async function runChecks(names = []) {
  for (const { args, title } of selected(names)) {
    const since = performance.now()
    process.stdout.write(`${title} ... `)
    const { code, output } = await runQuietly(args)
    process.stdout.write(`${code === 0 ? "ok" : "FAILED"} (${((performance.now() - since) / 1_000).toFixed(1)} s)\n`)
    if (code !== 0) {
      process.stdout.write(output)
      return code
    }
  }
  return 0
}

/** @param {ReadonlyArray<string>} names */
function selected(names) {
  const known = checks.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Complaint(`Unknown check: ${unknown.join(", ")}. The checks are ${known.join(", ")}.`)
  return names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name))
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
