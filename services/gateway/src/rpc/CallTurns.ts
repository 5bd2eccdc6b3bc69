/**
 * Starts the calls of one connection one per turn of the event loop, so that requests of other clients are answered between them. A
 * socket may send thousands of calls at once; started together, they would hold up every other client until the last one is answered.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

/**
 * Returns an effect that waits for the next turn of a connection, in the order of the calls. The argument is the same object for everything
 * of one connection: its HTTP request.
 */
type TurnOf = (connection: object) => Effect.Effect<void>

export class CallTurns extends Context.Service<CallTurns, TurnOf>()("@matchpoint/service-gateway/rpc/CallTurns") {
  static readonly layer = Layer.sync(CallTurns, () => {
    const turns = new WeakMap<object, Effect.Effect<void>>()
    return CallTurns.of((connection) => {
      const known = turns.get(connection)
      if (known !== undefined) return known
      // `yieldNow` continues in a later turn of the event loop; the permit is free for the next call from then on.
      const turn = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
      turns.set(connection, turn)
      return turn
    })
  })
}
