/**
 * Installs the dependencies of the lockfile and finds the pinned Node among them. Runs on any Node from 18 on with nothing installed, so it
 * is plain JavaScript that imports only `node:` modules.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

/** Error that the user can act on. Its message is printed without a stack trace. */
export class Complaint extends Error {}

export const root = fileURLToPath(new URL("..", import.meta.url))

/**
 * The field of package.json that names pnpm and its version.
 * @type {{ readonly packageManager: string }}
 */
const { packageManager: pnpm } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const windows = process.platform === "win32"
/** Path of the file that records which manifests node_modules was installed from, as a hash. */
const stamp = join(root, "node_modules", ".matchpoint-install")
const lock = join(root, ".data", "install.lock")
const longestWaitMs = 10 * 60_000

/** True in an image, which contains all dependencies and its own Node. */
export const isImage = !existsSync(join(root, "pnpm-lock.yaml"))

/** Installs dependencies unless node_modules already matches the current manifests. */
export async function ensureInstalled() {
  if (isImage) return
  if (isInstalled()) return
  mkdirSync(join(root, ".data"), { recursive: true })
  const since = Date.now()
  for (let waits = 0; !takeLock(); waits++) {
    if (waits === 1) process.stderr.write("Waiting for an install by another process ...\n")
    if (Date.now() - since > longestWaitMs)
      throw new Complaint(`Timed out waiting for another install. If none is running, delete ${lock} and run the command again.`)
    await sleep(250)
  }
  try {
    // Check again after waiting for the lock, because the process that held it may have installed the same
    // dependencies.
    if (!isInstalled()) await install()
  } finally {
    rmSync(lock, { force: true })
  }
}

/**
 * Returns the path of the pinned Node. In an image, this process runs on it. Otherwise it is in the `node` package if the
 * install script of that package has put it there, or in the nested package for this platform.
 */
export function pinnedNode() {
  if (isImage) return process.execPath
  const home = join(root, "node_modules", "node")
  const platform = `node-${windows ? "win" : process.platform}-${process.arch}`
  const file = windows ? "node.exe" : "node"
  const found = [join(home, "bin", file), join(home, "node_modules", platform, "bin", file)].find((path) => existsSync(path))
  if (found) return found
  throw new Complaint("The pinned Node is missing from node_modules. Delete node_modules and run the command again.")
}

/**
 * Tries to create the lock file, which contains the id of this process. Returns false if the lock file already exists.
 * If that lock is stale, that is, its process no longer runs, the lock file is deleted so that a later call can
 * succeed. To delete it, a process must first create a claim file, so that only one process deletes the stale lock and
 * none deletes a newer one by mistake.
 */
function takeLock() {
  if (createWithId(lock)) return true
  const owner = contentOf(lock)
  if (!owner || isAlive(Number(owner))) return false
  const claim = `${lock}.${owner}`
  if (createWithId(claim)) {
    if (contentOf(lock) === owner) rmSync(lock)
    rmSync(claim)
  }
  return false
}

/** @param {string} file */
function createWithId(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === "EPERM" // exists, but belongs to another user
  }
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined
}

function isInstalled() {
  return existsSync(join(root, "node_modules", "node")) && contentOf(stamp) === hashOfManifests()
}

async function install() {
  // Compute the hash before the install. If the manifests change while pnpm runs, the stored hash then differs from
  // theirs, and the next run installs again.
  const hash = hashOfManifests()
  // The second `--yes` is an option of pnpm: without a terminal, pnpm cannot ask whether to replace a node_modules
  // directory that another version has made. `--loglevel=error` hides pnpm's warnings about the version of the host's
  // Node, which is used only for the install.
  const args = ["--yes", "--prefer-offline", pnpm, "install", "--frozen-lockfile", "--yes", "--loglevel=error"]
  const stopProgress = showProgress("Installing dependencies (the first time takes about a minute)")
  const { code, output } = await capture("npx", args).finally(stopProgress)
  if (code !== 0) {
    process.stderr.write(output)
    throw new Complaint(whyInstallFailed(output))
  }
  writeFileSync(stamp, hash)
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
 * Shows what is running and for how long. On a terminal, the line is updated in place; otherwise, one dot is written
 * every 5 seconds. Returns a function that ends the display.
 * @param {string} what
 */
function showProgress(what) {
  const since = performance.now()
  const seconds = () => `${what} ... ${Math.round((performance.now() - since) / 1_000)} s`
  const terminal = process.stderr.isTTY
  process.stderr.write(`${what} ...`)
  const timer = setInterval(() => process.stderr.write(terminal ? `\r${seconds()}` : "."), terminal ? 1_000 : 5_000)
  return () => {
    clearInterval(timer)
    process.stderr.write(terminal ? `\r${seconds()}\n` : "\n")
  }
}

/**
 * Runs a command without input and returns its exit code and its output. Makes npm and pnpm retry an unreachable
 * registry only once, because with their default settings they print nothing for more than a minute.
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
function capture(command, args) {
  const settings = { fetch_retries: "1", fetch_retry_mintimeout: "1000", fetch_retry_maxtimeout: "3000", update_notifier: "false" }
  const env = { ...process.env }
  for (const [key, value] of Object.entries(settings)) for (const tool of ["npm", "pnpm"]) env[`${tool}_config_${key}`] = value
  // On Windows npx is a .cmd file, which only a shell can start. None of the arguments needs quoting.
  const child = spawn(command, [...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], shell: windows })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on("error", () =>
      reject(new Complaint(`Could not start \`${command}\`. It is part of npm, which must be installed and on the PATH.`)),
    )
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })
}

function hashOfManifests() {
  const hash = createHash("sha256").update(pnpm)
  const rooms = ["packages", "services"].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
  const folders = [".", "test", ...rooms.sort()]
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...folders.map((folder) => join(folder, "package.json"))]) {
    hash.update(`\0${file}\0`).update(contentOf(join(root, file)) ?? "")
  }
  return hash.digest("hex")
}
