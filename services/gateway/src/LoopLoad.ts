/** How busy this process's event loop is: the share of time since the last call in which it did something, 0..1. */
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
