import type { Timing } from "./Timing.ts"

/**
 * Resolves after `ms` milliseconds, or when `stop` aborts. In browsers also when the network is back or the tab becomes
 * visible, but not before `atLeastMs`.
 */
export const pause = (timing: Timing, ms: number, stop: AbortSignal, atLeastMs = 0): Promise<void> => {
  if (stop.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const elapsedMs = timing.startStopwatch()
    const page = pageOf(globalThis)
    const end = () => {
      cancel()
      stop.removeEventListener("abort", end)
      if (page === undefined) return resolve()
      globalThis.removeEventListener("online", wake)
      page.removeEventListener("visibilitychange", wake)
      resolve()
    }
    const wake = () => {
      if (Reflect.get(page ?? {}, "visibilityState") === "hidden") return
      const leftMs = Math.min(ms, atLeastMs) - elapsedMs()
      if (leftMs <= 0) return end()
      cancel()
      cancel = timing.after(leftMs, end)
    }
    let cancel = timing.after(ms, end)
    stop.addEventListener("abort", end)
    if (page === undefined) return
    globalThis.addEventListener("online", wake)
    page.addEventListener("visibilitychange", wake)
  })
}

/** Undefined in runtimes other than browsers. */
const pageOf = (runtime: object): EventTarget | undefined => {
  const document: unknown = Reflect.get(runtime, "document")
  return document instanceof EventTarget ? document : undefined
}
