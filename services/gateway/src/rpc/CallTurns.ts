/**
 * Starts only one call of a connection per turn of the event loop, so that requests of other clients are answered in
 * between. A socket may send thousands of calls at once. If all of them started together, every other client would have
 * to wait until the last one is answered.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

/**
 * Returns an effect that waits until the next call of the connection may start, in the order of the calls. `connection`
 * is an object that represents the connection: the HTTP request. It must be the same for all calls of one connection.
 */
type TurnOf = (connection: object) => Effect.Effect<void>

export class CallTurns extends Context.Service<CallTurns, TurnOf>()("@matchpoint/service-gateway/rpc/CallTurns") {
  static readonly layer = Layer.sync(CallTurns, () => {
    const turns = new WeakMap<object, Effect.Effect<void>>()
    return CallTurns.of((connection) => {
      const known = turns.get(connection)
      if (known !== undefined) return known
      // `yieldNow` continues in a later turn of the event loop. Then the permit is released for the next call.
      const turn = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
      turns.set(connection, turn)
      return turn
    })
  })
}
