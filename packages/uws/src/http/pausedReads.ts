// Schedules checks of sockets that are paused while their request is being answered: a disconnect is not visible while
// a socket is paused. `Exchange` implements the checks.

/** A request whose socket is paused. */
interface Held {
  /** Reads from the socket for a moment, to detect a disconnect. */
  readonly look: () => void
}

/**
 * A client that disconnects is noticed at the next check; one that sends its next request early, or closes its sending
 * side, still gets a response that takes less time than this.
 */
const LOOK_EVERY_MS = 1_000

/** Time of the next check by request, in chronological order. */
const held = new Map<Held, number>()
let timer: NodeJS.Timeout | undefined

/** Calls `look` once after `LOOK_EVERY_MS`, unless `letGo` cancels it. All requests share one timer. */
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
