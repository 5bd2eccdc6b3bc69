/**
 * `node infra/run.mjs <task> [arguments]` runs a task of package.json on the pinned Node, after installing what is missing. It is plain
 * JavaScript, because it runs on any Node from 18 on with nothing installed.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { constants, tmpdir } from "node:os"
import { join } from "node:path"
import { bundled, entries } from "./bundle.mjs"
import { Complaint, ensureInstalled, pinnedNode, root } from "./install.mjs"
import { allocatorSettings, nodeFlags, startFlags } from "./nodeFlags.mjs"

const biome = "node_modules/@biomejs/biome/bin/biome"
const vitest = "node_modules/vitest/vitest.mjs"
const terminal = process.stdout.isTTY
/** Argument that runs a program of a service from its sources instead of its bundle, for development. */
const FROM_SOURCES = "--sources"

/**
 * Tasks that each run a single program and pass their arguments on to it. The programs document their arguments.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const programs = {
  start: [...startFlags, "services/standalone/src/main.ts"],
  // The processes that it starts inherit the flags.
  cluster: [...startFlags, "services/standalone/src/cluster/main.ts"],
  gateway: [...nodeFlags, "services/gateway/src/main.ts"],
  feed: [...nodeFlags, "services/feed/src/main.ts"],
  match: [...nodeFlags, "services/match/src/main.ts"],
  webhooks: [...nodeFlags, "services/webhooks/src/main.ts"],
  "transcripts-worker": ["services/transcripts/src/worker.ts"],
  admin: ["services/gateway/src/admin/cli/main.ts"],
  replay: ["services/feed/src/replay.ts"],
  import: ["services/feed/src/import.ts"],
  "webhook-receiver": ["services/webhooks/src/receiver/main.ts"],
  simulate: ["test/simulation/main.ts"],
  "test:fault": ["test/fault/main.ts"],
  transcripts: ["services/transcripts/src/main.ts"],
  format: [biome, "check", "--write"],
  "build:client": ["packages/client/build.mjs"],
  "test:full": [vitest, "run", "--config", "vitest.full.config.ts"],
  // Rewrites docs/operators/metrics.md.
  metrics: ["services/standalone/src/metrics/main.ts"],
  // Rewrites docs/operators/settings.md and .env.example.
  settings: ["services/standalone/src/settings/main.ts"],
}

/** Tasks that run services. */
const services = new Set(["start", "cluster", "gateway", "feed", "match", "webhooks", "transcripts-worker"])

/**
 * The checks, in the order in which they run.
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const checks = {
  // Runs TypeScript's compiler extended with Effect's diagnostics.
  types: ["infra/types.mjs"],
  // Without the option `--colors`, `biome ci` would colour its output even if it is captured instead of shown on a
  // terminal.
  lint: [biome, "ci", "--error-on-warnings", `--colors=${terminal ? "force" : "off"}`],
  directions: [
    "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
    ...["--config", "infra/directions.mjs", "--output-type", "err-long", "packages", "services", "test"],
  ],
}

/**
 * Tasks that consist of more than one program. Each function resolves with an exit code.
 * @type {Readonly<Record<string, (args: ReadonlyArray<string>) => Promise<number>>>}
 */
const tasks = {
  check: runChecks,
  lint: () => runChecks(["lint"]),
  typecheck: () => runChecks(["types"]),
  test: async (args) => (await runChecks([])) || runTests(args),
  bench: runBenchmark,
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Complaint)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/**
 * Installs missing dependencies, then runs the task named by the first argument.
 * @param {ReadonlyArray<string>} args
 */
async function main([name = "", ...args]) {
  if (Number(process.versions.node.split(".")[0]) < 18)
    throw new Complaint(`Matchpoint needs Node 18 or newer; this is ${process.version}. Install a newer version from https://nodejs.org.`)
  const program = programs[name]
  const task = tasks[name]
  if (!program && !task) throw new Complaint(`Unknown task "${name}". The tasks are ${Object.keys({ ...programs, ...tasks }).join(", ")}.`)
  await ensureInstalled()
  if (task) return task(args)
  return runNode(
    [...(await loaded(program ?? [], args)), ...args.filter((arg) => arg !== FROM_SOURCES)],
    services.has(name) ? allocatorSettings : {},
  )
}

/**
 * Replaces a program that is in the bundle by its bundle, which starts faster. With `--sources`, the source itself runs.
 * @param {ReadonlyArray<string>} program
 * @param {ReadonlyArray<string>} args
 */
async function loaded(program, args) {
  if (args.includes(FROM_SOURCES)) return program
  return Promise.all(program.map((part) => (entries.includes(part) ? bundled(part) : part)))
}

/**
 * Runs the named checks, or all of them, up to the first that fails. Prints a line per check, and the output of the one that fails.
 * @param {ReadonlyArray<string>} names
 */
async function runChecks(names) {
  const unknown = names.filter((name) => !(name in checks))
  if (unknown.length > 0) throw new Complaint(`Unknown check: ${unknown.join(", ")}. The checks are ${Object.keys(checks).join(", ")}.`)
  for (const [name, args] of Object.entries(checks)) {
    if (names.length > 0 && !names.includes(name)) continue
    const since = performance.now()
    process.stdout.write(`${name} ... `)
    const child = spawn(pinnedNode(), [...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve))
    process.stdout.write(`${code === 0 ? "ok" : "FAILED"} (${((performance.now() - since) / 1_000).toFixed(1)} s)\n`)
    if (code === 0) continue
    process.stdout.write(output)
    return 1
  }
  return 0
}

/**
 * Runs the tests. The last line of output states how many passed, failed and were skipped. If the run fails without a
 * failed test, for example during setup, the line reports one failure.
 * @param {ReadonlyArray<string>} args
 */
async function runTests(args) {
  process.stdout.write("tests ...\n")
  const folder = mkdtempSync(join(tmpdir(), "matchpoint-test-"))
  const file = join(folder, "counts.json")
  try {
    const code = await runNode([vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`, ...args])
    if (!existsSync(file)) return code // no test run, for example `npm test -- --help`
    const counts = JSON.parse(readFileSync(file, "utf8"))
    const failed = Math.max(counts.numFailedTests, code === 0 ? 0 : 1)
    process.stdout.write(`${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests + counts.numTodoTests} skipped\n`)
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs test/load/<name>/main.ts, which prints its result as JSON. The benchmark `start-memory` is in the folder `startMemory`.
 * @param {ReadonlyArray<string>} args
 */
async function runBenchmark([name = "", ...flags]) {
  const names = readdirSync(join(root, "test", "load"))
    .filter((folder) => existsSync(join(root, "test", "load", folder, "main.ts")))
    .map((folder) => folder.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  const usage = `npm run bench -- <name> [flags], where <name> is one of: ${names.join(", ")}. With --help, each prints its flags; with --json, it prints JSON.`
  if (name === "--help" || name === "-h") {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (!names.includes(name)) throw new Complaint(`Unknown benchmark "${name}". ${usage}`)
  return runNode([`test/load/${name.replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase())}/main.ts`, ...flags])
}

/**
 * Runs the pinned Node with `args` in this terminal. Resolves with its exit code, or 128 + n if signal n ended it. The child receives
 * Ctrl-C twice, once from the terminal and once from this process, and must treat both as one request to stop.
 * @param {ReadonlyArray<string>} args
 * @param {Readonly<Record<string, string>>} [env] added to this process's environment
 * @returns {Promise<number>}
 */
function runNode(args, env = {}) {
  const child = spawn(pinnedNode(), [...args], { cwd: root, stdio: "inherit", env: { ...process.env, ...env } })
  // The signal handlers are never removed, because a signal that arrives after the child has ended must not stop the
  // cleanup of a task.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal))
  // The timer detects that npm has ended. It is needed because a signal that ends npm reaches the shell that npm
  // started, but not this process. Without the timer, the service would keep running.
  const npm = process.ppid
  const timer = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === npm) return
    clearInterval(timer)
    child.kill("SIGTERM")
  }, 250)
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Complaint(`Could not start the pinned Node: ${error.message}`)))
    child.on("exit", (code, signal) => {
      clearInterval(timer)
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}
