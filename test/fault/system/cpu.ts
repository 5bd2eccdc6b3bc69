/** CPU time of processes and their children, from /proc. Linux only. */
import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks per second of /proc, which Linux has fixed. */
const TICKS_PER_SECOND = 100

interface Stat {
  readonly parent: number
  readonly cpuMs: number
}

const statOf = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The command in parentheses may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const ticks = Number(fields[11]) + Number(fields[12])
    return { parent: Number(fields[1]), cpuMs: (ticks * 1_000) / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

/** Returns the CPU time that a process and its present children have used, in milliseconds. 0 if it does not run. */
export const cpuMsOf = (pid: number | undefined): number => {
  if (pid === undefined) return 0
  const children = readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid)
  return (statOf(pid)?.cpuMs ?? 0) + children.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}
