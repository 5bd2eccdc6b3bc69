/**
 * Prepares what every script here needs: dependencies that match the lockfile, and the pinned Node to run with. It must
 * run on any Node from 18 on that the host has, so it is plain JavaScript that imports only `node:` modules. It does
 * not know what the scripts start.
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
 * Runs the body of a script and exits with the code that it returns. Every script here consists of one call of this
 * function.
 * @param {() => Promise<number>} body
 */
export async function script(body) {
  try {
    const major = Number(process.versions.node.split(".")[0])
    if (major < oldestNodeMajor) {
      throw new Complaint(
        `Matchpoint's scripts need Node ${oldestNodeMajor} or newer; this is ${process.version}. Install a newer version from https://nodejs.org.`,
      )
    }
    process.exitCode = await body()
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Installs dependencies unless node_modules already matches the current manifests. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock(join(root, ".data", "install.lock"), "an install by another script", async () => {
    // The process that held the lock may have installed the same dependencies.
    if (!isInstalled()) await install()
  })
}

/**
 * Runs the pinned Node with `args` in this terminal. Resolves with its exit code, or 128 + n if signal n ended it. The
 * child receives Ctrl-C twice, once from the terminal and once from this process, and must treat both as one request to
 * stop.
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
  // The handlers stay registered: a signal that arrives after the child has ended must not stop the script's own
  // cleanup.
  for (const signal of signals) process.on(signal, forward)
  const stopWatching = whenNpmEnds(() => forward("SIGTERM"))
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Complaint(`Could not start the pinned Node: ${error.message}`)))
    child.on("exit", (code, signal) => {
      stopWatching()
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

/**
 * Calls `then` when the npm process that runs this script has ended. Returns a function that stops watching. A signal
 * that ends npm reaches the shell that npm started, but not the shell's child: without this, the service would keep
 * running after npm is stopped.
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

/**
 * Returns the path of the pinned Node: the place where its install script puts it, or else the platform's own package
 * below it.
 */
export function pinnedNode() {
  const found = pinnedNodeCandidates().find((path) => existsSync(path))
  if (found) return found
  throw new Complaint("The pinned Node is missing from node_modules. Delete node_modules and run the command again.")
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

/**
 * Returns true if node_modules was installed from the current manifests. Reads the manifests only if the time or size
 * of one has changed.
 */
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
  // Taken before the install, so that changes made while pnpm runs do not count as installed.
  const stamp = { hash: hashOfManifests(), looks: lookAtManifests() }
  const since = performance.now()
  const stopProgress = showProgress("Installing dependencies (the first time takes about a minute)")
  // The second `--yes` is for pnpm: without a terminal it cannot ask whether to replace a node_modules made by another
  // version. The log level hides pnpm's warnings about the host's Node, which only installs; everything runs on the
  // pinned Node.
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
 * Returns `env` with settings that let npm and pnpm retry an unreachable registry only once. By default they print
 * nothing for more than a minute.
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
    const where = "the settings printed by `npm config get registry` and `npm config get https-proxy`"
    return `npm can't reach its registry, so dependencies can't be installed. Check the network and ${where}. Then run the command again.`
  }
  if (/OUTDATED_LOCKFILE/.test(output)) {
    return `pnpm-lock.yaml doesn't match the package.json files. Run \`npx ${pnpm} install\` and commit the lockfile.`
  }
  return "Installing dependencies failed. See the output above."
}

/**
 * Shows what is running and for how long: updated in place on a terminal, otherwise one dot per 5 seconds. Returns a
 * function that ends the display.
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
 * Runs a command without input and returns its exit code and the last 16 KB of its output.
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
function capture(command, args, env) {
  // On Windows npx is a .cmd file, which only a shell can start. None of the arguments needs quoting.
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
      reject(new Complaint(`Could not start \`${command}\`. It is part of npm, which must be installed and on the PATH.`)),
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
    // A process that was killed while writing left a partial file, which counts as no file.
    rmSync(stampFile, { force: true })
    return undefined
  }
}

/** @param {Stamp} stamp */
function writeStamp(stamp) {
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, JSON.stringify(stamp))
}
