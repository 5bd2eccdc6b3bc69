// Reads what other processes of this machine use. Linux only.
import { readFileSync } from "node:fs"

/** Throws if the process has ended. */
export const residentBytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes) * 1_024
}

/** Clock ticks per second of `/proc`, which Linux fixes at 100. */
const TICKS = 100

/** CPU time of all threads since the start, and with `withEnded` that of its child processes that have ended. Throws if it has ended. */
export const cpuSeconds = (pid: number, withEnded = false): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name in parentheses may have spaces. The 12th and 13th field behind it are user and system time, the next two those of
  // its processes that have ended.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}

/**
 * Settings of the caller, for example of a test run, must not change the measurement. The service rejects settings that
 * it does not know.
 */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("MATCHPOINT_")))
