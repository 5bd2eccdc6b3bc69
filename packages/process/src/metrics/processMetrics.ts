/** CPU, memory, event loop lag and the like. Measured on request; they cost almost nothing in between. */
import { readdir } from "node:fs/promises"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { Effect, Metric } from "effect"

export const buildInfo = Metric.gauge("matchpoint_build_info", {
  description: "Always 1; the labels contain the version and the Node version",
})
export const startTime = Metric.gauge("matchpoint_process_start_time_seconds", { description: "Start time of the process, Unix time" })
export const cpuTime = Metric.counter("matchpoint_process_cpu_seconds_total", {
  description: "CPU time of all threads, by mode: user or system",
  incremental: true,
})
export const residentMemory = Metric.gauge("matchpoint_process_resident_memory_bytes", { description: "Memory in use, all threads" })
export const heapMemory = Metric.gauge("matchpoint_process_heap_bytes", { description: "JavaScript heap in use, main thread" })
export const openFiles = Metric.gauge("matchpoint_process_open_fds", {
  description: "Open files and sockets; absent on systems without /proc",
})
export const loopLag = Metric.gauge("matchpoint_loop_lag_seconds", {
  description: "Lateness of the event loop's timers since the metrics were last read, by quantile: 0.5, 0.99 or 1",
})
export const loopUtilization = Metric.gauge("matchpoint_loop_utilization_ratio", {
  description: "Share of time in which the event loop was busy since the metrics were last read",
})

/** Sampling interval of Node's event loop delay monitor, native code that measures how late its timer fires. */
const RESOLUTION_MS = 20

/** Starts measuring the event loop. The returned effect updates the metrics. */
export const processMetrics = (version: string) =>
  Effect.gen(function* () {
    const delay = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable()),
    )
    let cpu = { user: 0, system: 0 }
    let utilization = performance.eventLoopUtilization()

    const lag = (quantile: string, nanoseconds: number) =>
      Metric.update(Metric.withAttributes(loopLag, { quantile }), Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000))

    const update = Effect.gen(function* () {
      yield* Metric.update(Metric.withAttributes(buildInfo, { version, node: process.version }), 1)
      yield* Metric.update(startTime, Math.round(performance.timeOrigin) / 1_000)
      const used = process.cpuUsage()
      yield* Metric.update(Metric.withAttributes(cpuTime, { mode: "user" }), (used.user - cpu.user) / 1e6)
      yield* Metric.update(Metric.withAttributes(cpuTime, { mode: "system" }), (used.system - cpu.system) / 1e6)
      cpu = used
      const memory = process.memoryUsage()
      yield* Metric.update(residentMemory, memory.rss)
      yield* Metric.update(heapMemory, memory.heapUsed)
      const files = yield* Effect.option(Effect.tryPromise(() => readdir("/proc/self/fd")))
      if (files._tag === "Some") yield* Metric.update(openFiles, files.value.length)
      yield* lag("0.5", delay.percentile(50))
      yield* lag("0.99", delay.percentile(99))
      yield* lag("1", delay.max)
      delay.reset()
      const now = performance.eventLoopUtilization()
      yield* Metric.update(loopUtilization, performance.eventLoopUtilization(now, utilization).utilization)
      utilization = now
    })
    return { update }
  })
