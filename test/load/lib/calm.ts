// Owns waiting for a moment at which nobody else uses the machine, on machines that are shared.
import { setTimeout as delay } from "node:timers/promises"
import { machineBusyUs } from "./machine.ts"
import { monotonicUs } from "./monotonic.ts"

/** One look at the machine. Long against the 10 ms in which the kernel counts. */
const LOOK_MS = 500

/** Waits until all processes together use less than `share` of a core. False when that did not happen until `deadlineUs`. */
export const calm = async (share: number, deadlineUs: number): Promise<boolean> => {
  while (monotonicUs() < deadlineUs) {
    const busyBefore = machineBusyUs()
    const before = monotonicUs()
    await delay(LOOK_MS)
    if ((machineBusyUs() - busyBefore) / (monotonicUs() - before) < share) return true
  }
  return false
}
