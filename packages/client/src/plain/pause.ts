/** Waiting that can be cut short: by the reader, and in browsers by a network or a tab that is back. */

/** Resolves after `ms`, when `stop` aborts, when the browser is online again, or when its tab becomes visible. */
export const pause = (ms: number, stop: AbortSignal): Promise<void> => {
  if (stop.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const document: unknown = Reflect.get(globalThis, "document")
    const page = document instanceof EventTarget ? document : undefined
    const window = page === undefined ? undefined : globalThis
    const end = () => {
      clearTimeout(timer)
      stop.removeEventListener("abort", end)
      window?.removeEventListener("online", end)
      page?.removeEventListener("visibilitychange", endIfVisible)
      resolve()
    }
    const endIfVisible = () => {
      if (Reflect.get(page ?? {}, "visibilityState") === "visible") end()
    }
    const timer = setTimeout(end, ms)
    stop.addEventListener("abort", end)
    window?.addEventListener("online", end)
    page?.addEventListener("visibilitychange", endIfVisible)
  })
}
