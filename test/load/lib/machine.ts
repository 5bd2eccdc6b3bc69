// Owns what is said about the machine: its name, which goes with every number, and how busy it is as a whole.
import { cpus, release } from "node:os"
import { monotonicUs } from "./monotonic.ts"

export const describeMachine = (): string => `${cpus()[0]?.model.trim() ?? "unknown"} x ${cpus().length}, ${process.platform} ${release()}`

/**
 * CPU time of everything, processes and kernel, since some fixed moment; microseconds, to the next 10 ms per core. What is left
 * after taking off a measurement's own processes was somebody else's, and explains a noisy run. Told by what is not idle time: the
 * busy columns of the kernel leave out its network work, which is most of what these measurements cause.
 */
export const machineBusyUs = (): number => {
  const cores = cpus()
  const idleUs = cores.reduce((sum, { times }) => sum + times.idle * 1e3, 0)
  return cores.length * monotonicUs() - idleUs
}
