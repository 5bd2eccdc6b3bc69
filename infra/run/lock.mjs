/**
 * A lock between processes on one machine: a file that holds its owner's process id. It outlives a killed owner, so a lock
 * whose owner is gone is taken over. Good for work that takes seconds and starts by hand, not for anything busier.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint } from "./complaint.mjs"

const longestWaitMs = 10 * 60_000
const lookAgainMs = 250

/**
 * @template A
 * @param {string} file
 * @param {string} what the work of others that may hold it, for messages
 * @param {() => Promise<A>} body
 * @returns {Promise<A>}
 */
export async function withLock(file, what, body) {
  mkdirSync(dirname(file), { recursive: true })
  const deadline = Date.now() + longestWaitMs
  let told = false
  while (!take(file)) {
    if (Date.now() > deadline) throw new Complaint(`Gave up waiting for ${what}. If nothing of the kind is running, delete ${file}.`)
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
  // Two waiters can see the same dead owner. The slower one has then moved the faster one's new lock away: it gives it back.
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
 * Undefined when the file is gone meanwhile, or created and not yet written.
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
    return codeOf(error) === "EPERM" // there, but another user's
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined
}
