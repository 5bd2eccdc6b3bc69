// Schedules periodic checks of sockets that are paused while their request is being answered. A check detects whether
// the client has disconnected, which is not visible while the socket is paused. The checks themselves are implemented
// in `Exchange`.

/** A request whose socket is paused. */
interface Held {
  /** Reads from the socket for a moment, to detect whether the client has disconnected. */
  readonly look: () => void
}

/**
 * Interval between two checks of a paused socket, in milliseconds. A disconnected client is noticed only at the next
 * check. A client that sends its next request early, or closes its sending side, still gets its response if the
 * response takes less than this interval.
 */
const LOOK_EVERY_MS = 1_000

/** For each request with a paused socket, the time of its next check. Entries are in chronological order. */
const held = new Map<Held, number>()
let timer: NodeJS.Timeout | undefined

/**
 * Calls the request's `look` once, after `LOOK_EVERY_MS` milliseconds, unless `letGo` cancels the call. `look` reads
 * briefly from the paused socket to notice a disconnect. All requests share one timer.
 */
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
