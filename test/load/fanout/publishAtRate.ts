// Owns the pace: frame n is due at start + n / rate regardless of earlier delays. Timers do not drift, and a server
// that cannot keep up shows late frames instead of a lower rate.
import { monotonicUs } from "../lib/monotonic.ts"
import type { Published } from "./orders.ts"

/**
 * Publishes for `seconds`. A late publisher catches up one frame per turn of the loop, never several: frames of one
 * turn would share a send call, and the benchmark measures frames that are sent one by one.
 */
export const publishAtRate = (rate: number, seconds: number, publish: () => void): Promise<Published> =>
  new Promise((resolve) => {
    const intervalUs = 1e6 / rate
    // Timers fire just after whole milliseconds of this clock. Starting on a whole millisecond keeps their lateness the
    // same in every round.
    const startedAtUs = Math.ceil(monotonicUs() / 1_000) * 1_000 + 1_000
    const deadlineUs = startedAtUs + seconds * 1e6
    let published = 0
    const step = () => {
      const now = monotonicUs()
      const dueUs = startedAtUs + published * intervalUs
      if (dueUs >= deadlineUs || now >= deadlineUs) {
        resolve({ published, startedAtUs, intervalUs, endedAtUs: dueUs })
      } else if (now < dueUs) {
        setTimeout(step, Math.ceil((dueUs - now) / 1_000))
      } else {
        published++
        publish()
        setImmediate(step)
      }
    }
    step()
  })
