/**
 * A connection starts one call per turn of the event loop, so that other clients are answered in between. A socket may
 * send thousands of calls at once.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

/**
 * Calls start in the order in which they wait. `connection` is the HTTP request, used only as an identity: all calls of
 * one connection must pass the same object.
 */
type TurnOf = (connection: object) => Effect.Effect<void>

export class CallTurns extends Context.Service<CallTurns, TurnOf>()("@matchpoint/service-gateway/rpc/CallTurns") {
  static readonly layer = Layer.sync(CallTurns, () => {
    const turns = new WeakMap<object, Effect.Effect<void>>()
    return CallTurns.of((connection) => {
      const known = turns.get(connection)
      if (known !== undefined) return known
      // The permit is released after a later turn of the event loop.
      const turn = Semaphore.makeUnsafe(1).withPermit(Effect.yieldNow)
      turns.set(connection, turn)
      return turn
    })
  })
}
