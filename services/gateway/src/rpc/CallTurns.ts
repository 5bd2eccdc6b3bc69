/**
 * Limits a connection to starting one call per turn of the event loop, so that requests of other clients are answered
 * in between. A socket may send thousands of calls at once. If all of them started together, every other client would
 * have to wait until the last one is answered.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

/**
 * Returns an effect that waits until the next call of the connection may start. Calls start in the order in which they
 * wait. `connection` is the HTTP request, used only as an identity: all calls of one connection must pass the same
 * object.
 */
type TurnOf = (connection: object) => Effect.Effect<void>

export class CallTurns extends Context.Service<CallTurns, TurnOf>()("@matchpoint/service-gateway/rpc/CallTurns") {
  static readonly layer = Layer.sync(CallTurns, () => {
    const turns = new WeakMap<object, Effect.Effect<void>>()
    return CallTurns.of((connection) => {
      const known = turns.get(connection)
      if (known !== undefined) return known
      // `yieldNow` waits for a later turn of the event loop. After that, the permit is released and the next call can
      // start.
      const turn = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
      turns.set(connection, turn)
      return turn
    })
  })
}
