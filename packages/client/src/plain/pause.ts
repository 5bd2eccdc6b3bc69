/**
 * A delay that can end early: when the caller aborts it and, in browsers, when the network is back or the tab becomes
 * visible.
 */
import type { Timing } from "./Timing.ts"

/**
 * Resolves after `ms` milliseconds, or as soon as `stop` aborts. When the browser is online again or its tab becomes
 * visible, it resolves early, but not before `atLeastMs` have passed.
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

/** Returns the `document` of a browser window. Undefined in other runtimes. */
const pageOf = (runtime: object): EventTarget | undefined => {
  const document: unknown = Reflect.get(runtime, "document")
  return document instanceof EventTarget ? document : undefined
}
