/** Event loop utilization of this process, 0 to 1: the share of time that the loop was busy since the previous call. */
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
