// Owns facts about the machine: its name, which is printed with every result, and its total CPU use.
import { cpus, release } from "node:os"
import { monotonicUs } from "./monotonic.ts"

export const describeMachine = (): string => `${cpus()[0]?.model.trim() ?? "unknown"} x ${cpus().length}, ${process.platform} ${release()}`

/**
 * CPU time of all processes and the kernel since a fixed moment, in microseconds with a resolution of 10 ms per core.
 * After subtracting the measurement's own processes, the rest belongs to other processes and explains a disturbed run.
 * Computed as time that is not idle: the kernel's busy columns leave out its network work, which is most of the work of
 * these measurements.
 */
export const machineBusyUs = (): number => {
  const cores = cpus()
  const idleUs = cores.reduce((sum, { times }) => sum + times.idle * 1e3, 0)
  return cores.length * monotonicUs() - idleUs
}
