/**
 * Event loop utilization of this process: the share of the time since the previous call in which the loop was busy, 0
 * to 1.
 */
import { performance } from "node:perf_hooks"
import { Context } from "effect"

export class LoopLoad extends Context.Reference<() => number>("@matchpoint/service-gateway/LoopLoad", {
  defaultValue: () => {
    let last = performance.eventLoopUtilization()
    return () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    }
  },
}) {}
