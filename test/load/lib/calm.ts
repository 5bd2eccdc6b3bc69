// Owns waiting until no other process uses a shared machine.
import { setTimeout as delay } from "node:timers/promises"
import { machineBusyUs } from "./machine.ts"
import { monotonicUs } from "./monotonic.ts"

/** Duration of one sample. It is long compared with the kernel's resolution of 10 ms. */
const LOOK_MS = 500

/**
 * Waits until all processes together use less than `share` of a core. Returns false if that did not happen before
 * `deadlineUs`.
 */
export const calm = async (share: number, deadlineUs: number): Promise<boolean> => {
  while (monotonicUs() < deadlineUs) {
    const busyBefore = machineBusyUs()
    const before = monotonicUs()
    await delay(LOOK_MS)
    if ((machineBusyUs() - busyBefore) / (monotonicUs() - before) < share) return true
  }
  return false
}
