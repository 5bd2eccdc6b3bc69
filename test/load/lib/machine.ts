// Owns facts about the machine: its name and speed, which are printed with every result, and its total CPU use.
import { execFile } from "node:child_process"
import { cpus, release } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { monotonicUs } from "./monotonic.ts"

export const machineName = (): string => `${cpus()[0]?.model.trim() ?? "unknown"} x ${cpus().length}, ${process.platform} ${release()}`

/**
 * The name of the machine and its speed by the yardstick, which takes about four seconds. The yardstick runs in a process
 * of its own, because the heap and the compiled code of a measurement would slow it down.
 */
export const describeMachine = async (): Promise<string> => {
  const yardstick = fileURLToPath(new URL("../yardstick/main.ts", import.meta.url))
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [yardstick, "--json", "--turns", "3"], { timeout: 120_000 })
    const { factor }: { readonly factor: number } = JSON.parse(stdout)
    return `${machineName()}, yardstick ${factor}`
  } catch (error) {
    // A measurement that took minutes must not be lost with the yardstick.
    return `${machineName()}, yardstick not measured: ${String(error)}`
  }
}

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
