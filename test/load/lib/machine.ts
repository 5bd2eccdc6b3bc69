// Owns what is said about the machine: its name, which goes with every number, and how busy it is as a whole.
import { cpus, release } from "node:os"

export const describeMachine = (): string => `${cpus()[0]?.model.trim() ?? "unknown"} x ${cpus().length}, ${process.platform} ${release()}`

/**
 * CPU time of all processes and the kernel since the machine started, microseconds, to the next 10 ms per core. What is left after
 * taking off a measurement's own processes was somebody else's, and explains a noisy run.
 */
export const machineBusyUs = (): number =>
  cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) * 1e3, 0)
