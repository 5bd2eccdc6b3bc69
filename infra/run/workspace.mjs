/**
 * What every script here needs before its own work: dependencies that match the lockfile, and the pinned Node to run with.
 * It runs on whatever Node the host has (>= 18), so it is plain JavaScript on node: modules and imports nothing installed.
 * It does not know what the scripts start.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Complaint } from "./complaint.mjs"
import { withLock } from "./lock.mjs"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** @type {{ readonly packageManager: string }} */
const { packageManager: pnpm } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const oldestNodeMajor = 18
const windows = process.platform === "win32"
const stampFile = join(root, "node_modules", ".matchpoint-install.json")

/**
 * Runs a script's body and ends the process with the exit code it returns. Every script here is one call of this.
 * @param {() => Promise<number>} body
 */
export async function script(body) {
  try {
    const major = Number(process.versions.node.split(".")[0])
    if (major < oldestNodeMajor) {
      throw new Complaint(
        `Matchpoint's scripts need Node ${oldestNodeMajor} or newer; this is ${process.version}. Get a newer one from https://nodejs.org.`,
      )
    }
    process.exitCode = await body()
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Installs dependencies unless those in place were installed from the manifests as they are now. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock(join(root, ".data", "install.lock"), "an install by another script", async () => {
    // Whoever held the lock may have installed just this.
    if (!isInstalled()) await install()
  })
}

/**
 * Runs the pinned Node with `args` in this terminal. Resolves with its exit code, 128 + n when signal n ended it.
 * Ctrl-C reaches it twice, from the terminal and from here: what it runs must take a second one as the same wish.
 * @param {ReadonlyArray<string>} args
 * @param {Readonly<Record<string, string>>} [env] added to this process's environment
 * @returns {Promise<number>}
 */
export function runNode(args, env = {}) {
  const child = spawn(pinnedNode(), [...args], { cwd: root, stdio: "inherit", env: { ...process.env, ...env } })
  /** @type {ReadonlyArray<NodeJS.Signals>} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
  /** @type {(signal: NodeJS.Signals) => void} */
  const forward = (signal) => void child.kill(signal)
  // They stay: a signal that comes after the child has ended must not keep the script from cleaning up.
  for (const signal of signals) process.on(signal, forward)
  const stopWatching = whenNpmEnds(() => forward("SIGTERM"))
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Complaint(`The pinned Node does not start: ${error.message}`)))
    child.on("exit", (code, signal) => {
      stopWatching()
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

/**
 * Calls `then` when the npm that runs this script is gone, and returns how to stop watching. A signal that ends npm reaches the
 * shell it started but not what that shell runs: a service stopped by ending npm would otherwise go on without it.
 * @param {() => void} then
 */
function whenNpmEnds(then) {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    then()
  }, 250)
  return () => clearInterval(timer)
}

/** The path of the pinned Node: where its install script puts it, else in the platform's own package below it. */
export function pinnedNode() {
  const found = pinnedNodeCandidates().find((path) => existsSync(path))
  if (found) return found
  throw new Complaint("The pinned Node is not in node_modules: delete node_modules and run the command again.")
}

function pinnedNodeCandidates() {
  const home = join(root, "node_modules", "node")
  const platform = `node-${windows ? "win" : process.platform}-${process.arch}`
  const file = windows ? "node.exe" : "node"
  return [join(home, "bin", file), join(home, "node_modules", platform, "bin", file)]
}

/**
 * @typedef {{ readonly modifiedMs: number, readonly bytes: number }} Look
 * @typedef {{ readonly hash: string, readonly looks: Readonly<Record<string, Look>> }} Stamp
 */

/** Whether node_modules was installed from these manifests. Reads them only when time or size of one has changed. */
function isInstalled() {
  const stamp = readStamp()
  if (!stamp || !pinnedNodeCandidates().some((path) => existsSync(path))) return false
  const looks = lookAtManifests()
  if (JSON.stringify(looks) === JSON.stringify(stamp.looks)) return true
  const hash = hashOfManifests()
  if (hash !== stamp.hash) return false
  writeStamp({ hash, looks })
  return true
}

async function install() {
  // Taken before: what changes while pnpm runs must not count as installed.
  const stamp = { hash: hashOfManifests(), looks: lookAtManifests() }
  const since = performance.now()
  const stopProgress = showProgress("Installing dependencies (the first time takes about a minute)")
  // The second --yes is pnpm's: without a terminal it can't ask whether it may replace a node_modules that another version made.
  // Its warnings are about the host's Node, which only installs: the pinned one runs everything.
  const args = ["--yes", "--prefer-offline", pnpm, "install", "--frozen-lockfile", "--yes", "--loglevel=error"]
  const { code, output } = await capture("npx", args, impatient(process.env)).finally(stopProgress)
  if (code !== 0) {
    process.stderr.write(output)
    throw new Complaint(whyInstallFailed(output))
  }
  writeStamp(stamp)
  process.stderr.write(`Dependencies installed in ${Math.round((performance.now() - since) / 1000)} s.\n`)
}

/**
 * `env` with which npm and pnpm try a dead registry twice: left alone they say nothing for more than a minute.
 * @param {NodeJS.ProcessEnv} env
 */
function impatient(env) {
  const again = { fetch_retries: "1", fetch_retry_mintimeout: "1000", fetch_retry_maxtimeout: "3000" }
  const settings = Object.entries(again).flatMap(([key, value]) => [
    [`npm_config_${key}`, value],
    [`pnpm_config_${key}`, value],
  ])
  return { ...env, ...Object.fromEntries(settings), npm_config_update_notifier: "false" }
}

/** @param {string} output */
function whyInstallFailed(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|error sending request|dns error/.test(output)) {
    const where = "the registry and proxy that `npm config get registry` and `npm config get https-proxy` print"
    return `npm can't reach its registry, so dependencies can't be installed. Check the network, or ${where}; then run the command again.`
  }
  if (/OUTDATED_LOCKFILE/.test(output)) {
    return `pnpm-lock.yaml doesn't match the package.json files. Run \`npx ${pnpm} install\` and commit the lockfile.`
  }
  return "Installing dependencies failed; the reason is above."
}

/**
 * Says what is going on and for how long: in place on a terminal, else a dot per 5 seconds. Returns how to end it.
 * @param {string} what
 */
function showProgress(what) {
  const since = performance.now()
  const terminal = process.stderr.isTTY
  process.stderr.write(`${what} ...`)
  const timer = setInterval(
    () => process.stderr.write(terminal ? `\r${what} ... ${Math.round((performance.now() - since) / 1000)} s` : "."),
    terminal ? 1_000 : 5_000,
  )
  return () => {
    clearInterval(timer)
    process.stderr.write("\n")
  }
}

/**
 * Runs a command without input and keeps the end of what it prints.
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
function capture(command, args, env) {
  // On Windows npx is a .cmd file, which only a shell can start; none of the arguments needs quoting.
  const child = spawn(command, [...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], shell: windows })
  let output = ""
  /** @type {(chunk: Buffer) => void} */
  const keep = (chunk) => {
    output = (output + chunk.toString("utf8")).slice(-16_384)
  }
  child.stdout.on("data", keep)
  child.stderr.on("data", keep)
  return new Promise((resolve, reject) => {
    child.on("error", () =>
      reject(new Complaint(`\`${command}\` does not start: it comes with npm, which must be installed and on the PATH.`)),
    )
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })
}

function manifests() {
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", join("test", "package.json")]
  for (const folder of ["packages", "services"]) {
    for (const room of readdirSync(join(root, folder)).sort()) files.push(join(folder, room, "package.json"))
  }
  return files.filter((file) => existsSync(join(root, file)))
}

/** @returns {Record<string, Look>} */
function lookAtManifests() {
  return Object.fromEntries(
    manifests().map((file) => {
      const { mtimeMs, size } = statSync(join(root, file))
      return [file, { modifiedMs: mtimeMs, bytes: size }]
    }),
  )
}

function hashOfManifests() {
  const hash = createHash("sha256").update(pnpm)
  for (const file of manifests()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest("hex")
}

/** @returns {Stamp | undefined} */
function readStamp() {
  if (!existsSync(stampFile)) return undefined
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"))
  } catch {
    // Half-written by a process that was killed: the same as none.
    rmSync(stampFile, { force: true })
    return undefined
  }
}

/** @param {Stamp} stamp */
function writeStamp(stamp) {
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, JSON.stringify(stamp))
}
