// Schedules checks of sockets that are paused while their request is answered. It does not touch sockets: `Exchange`
// does.

/** A request whose socket is paused. */
interface Held {
  /** Reads from the socket for a moment. */
  readonly look: () => void
}

/**
 * Milliseconds between two checks of a socket. While a socket is paused, a client that leaves is not noticed. If a
 * client sends its next request early, or closes its side, it still gets its response if that takes less than this
 * time.
 */
const LOOK_EVERY_MS = 1_000

/** Time of the next check per request, soonest first. */
const held = new Map<Held, number>()
let timer: NodeJS.Timeout | undefined

/** Calls `look` once after `LOOK_EVERY_MS`, unless `letGo` is called first. All requests share one timer. */
export const hold = (one: Held): void => {
  held.set(one, performance.now() + LOOK_EVERY_MS)
  schedule(LOOK_EVERY_MS)
}

export const letGo = (one: Held): void => {
  held.delete(one)
}

const schedule = (inMs: number): void => {
  if (timer === undefined) timer = setTimeout(sweep, inMs).unref()
}

const sweep = (): void => {
  timer = undefined
  const now = performance.now()
  for (const [one, at] of held) {
    if (at > now) {
      schedule(at - now)
      return
    }
    held.delete(one)
    one.look()
  }
}
