/** Waits of the client in a browser, with stand-ins for window and document. */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { pause } from "../../src/plain/pause.ts"
import { platformTiming } from "../../src/plain/Timing.ts"

class Page extends EventTarget {
  visibilityState = "visible"
}

const page = new Page()
const window = new EventTarget()
const listeners: Array<string> = []

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("document", page)
  vi.stubGlobal("addEventListener", (type: string, listener: () => void) => {
    listeners.push(type)
    window.addEventListener(type, listener)
  })
  vi.stubGlobal("removeEventListener", (type: string, listener: () => void) => {
    listeners.splice(listeners.indexOf(type), 1)
    window.removeEventListener(type, listener)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  assert.isEmpty(listeners)
})

/** When a wait of 10 s ends, ms, if `happens` is called after one second. */
const endOf = async (happens: () => void, atLeastMs = 0, stop = new AbortController().signal) => {
  const startedAt = Date.now()
  let endedAt = Number.NaN
  const waiting = pause(platformTiming, 10_000, stop, atLeastMs).then(() => {
    endedAt = Date.now()
  })
  setTimeout(happens, 1_000)
  await vi.advanceTimersByTimeAsync(20_000)
  await waiting
  return endedAt - startedAt
}

describe("a wait", () => {
  it("ends by itself", async () => {
    assert.strictEqual(await endOf(() => {}), 10_000)
  })

  it("ends when the network is back or the tab is visible, and not while it is hidden", async () => {
    assert.strictEqual(await endOf(() => window.dispatchEvent(new Event("online"))), 1_000)
    assert.strictEqual(await endOf(() => page.dispatchEvent(new Event("visibilitychange"))), 1_000)
    page.visibilityState = "hidden"
    assert.strictEqual(await endOf(() => page.dispatchEvent(new Event("visibilitychange"))), 10_000)
    page.visibilityState = "visible"
  })

  it("never ends before the time that the server asked for, except if it is stopped", async () => {
    assert.strictEqual(await endOf(() => window.dispatchEvent(new Event("online")), 4_000), 4_000)
    const setBack = () => {
      vi.setSystemTime(Date.now() - 3_600_000)
      window.dispatchEvent(new Event("online"))
    }
    assert.strictEqual(await endOf(setBack, 4_000), 4_000 - 3_600_000)
    const stop = new AbortController()
    assert.strictEqual(await endOf(() => stop.abort(), 4_000, stop.signal), 1_000)
    assert.strictEqual(await endOf(() => {}, 0, AbortSignal.abort()), 0)
  })
})
