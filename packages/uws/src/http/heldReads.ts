// Owns when a socket that is not read while its request is answered is looked at. Does not touch sockets: an Exchange does.

/** A request whose socket is not read. */
interface Held {
  /** Reads for a moment. */
  readonly look: () => void
}

/**
 * While a socket is not read, a client that leaves is not noticed. So every socket is looked at once a second. A client that sends its
 * next request early, or closes its side, is answered if the answer takes less than that.
 */
const LOOK_EVERY_MS = 1_000

/** When each is looked at next, soonest first. */
const held = new Map<Held, number>()
let timer: NodeJS.Timeout | undefined

/** Calls `look` once after `LOOK_EVERY_MS`, unless `letGo` is called before. One timer for all. */
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
