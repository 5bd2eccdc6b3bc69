/**
 * Starts the calls of one connection one per turn of the event loop, so that requests of other clients are answered between them. A
 * socket may send thousands of calls at once; started together, they would hold up every other client until the last one is answered.
 */
import { Effect, Semaphore } from "effect"

/** Returns an effect that waits for the next turn of `connection`, which is the same object for all calls of one connection. */
export const makeCallTurns = (): ((connection: object) => Effect.Effect<void>) => {
  const turns = new WeakMap<object, Effect.Effect<void>>()
  return (connection) => {
    const known = turns.get(connection)
    if (known !== undefined) return known
    // `yieldNow` continues in a later turn of the event loop; the permit is free for the next call from then on.
    const turn = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
    turns.set(connection, turn)
    return turn
  }
}
