/**
 * A lock between processes on one machine: a file that holds the process id of its owner. The file remains if its owner
 * is killed, so another process takes over a lock whose owner no longer runs. Meant for tasks of a few seconds that are
 * started by hand, not for frequent use.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint } from "./complaint.mjs"

const longestWaitMs = 10 * 60_000
const lookAgainMs = 250

/**
 * Runs `body` while holding the lock. Waits up to 10 minutes for another owner to release it.
 * @template A
 * @param {string} file
 * @param {string} what description of the work that may hold the lock, for messages
 * @param {() => Promise<A>} body
 * @returns {Promise<A>}
 */
export async function withLock(file, what, body) {
  mkdirSync(dirname(file), { recursive: true })
  const deadline = Date.now() + longestWaitMs
  let told = false
  while (!take(file)) {
    if (Date.now() > deadline)
      throw new Complaint(`Timed out waiting for ${what}. If it is not running, delete ${file} and run the command again.`)
    if (!told) process.stderr.write(`Waiting for ${what} ...\n`)
    told = true
    await sleep(lookAgainMs)
  }
  try {
    return await body()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function take(file) {
  if (create(file)) return true
  const owner = ownerOf(file)
  if (owner === undefined || isAlive(owner)) return false
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false // another waiter was faster
    throw error
  }
  // Two waiters can see the same dead owner. In that case the slower one has moved away the new lock of the faster one,
  // and must move it back.
  if (ownerOf(aside) !== owner) {
    renameSync(aside, file)
    return false
  }
  rmSync(aside, { force: true })
  return create(file)
}

/** @param {string} file */
function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

/**
 * Returns the process id in the file. Undefined if the file has been deleted, or created but not written yet.
 * @param {string} file
 */
function ownerOf(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"))
    return pid > 0 ? pid : undefined
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM" // exists, but belongs to another user
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined
}
