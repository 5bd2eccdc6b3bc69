// Accepts or rejects a WebSocket or SSE connection while it is still an open HTTP response. The routes define what
// happens after an acceptance.

import type { HttpResponse } from "uWebSockets.js"
import { type Context, Effect, Exit, Fiber, type Scope } from "effect"
import { HttpServerError } from "effect/http"
import { type ConnectDecision, reject, sendReject } from "./ConnectDecision.ts"

/**
 * Calls `answer` with the decision. If the Effect completes synchronously, that happens before this function returns,
 * inside the cork of the route callback, and costs no timer, promise or additional cork. Otherwise `answer` is called
 * later, outside any cork, with `late` set to true.
 *
 * If the client disconnects, the Effect is interrupted. After `timeoutMs`, the client gets status 503. An unexpected
 * error, including one thrown by `answer`, is logged, and the client gets status 500. A late upgrade must not run
 * inside a cork of its response; see `UpgradeCork`.
 */
export const decide = <Data, R>(
  response: HttpResponse,
  verdict: Effect.Effect<ConnectDecision<Data>, never, R>,
  context: Context.Context<R>,
  scope: Scope.Scope,
  timeoutMs: number,
  answer: (verdict: ConnectDecision<Data>, late: boolean) => void,
): void => {
  let settled = false
  const finish = (exit: Exit.Exit<ConnectDecision<Data>>, late: boolean): void => {
    if (Exit.isFailure(exit)) {
      Effect.runForkWith(context)(Effect.logError("The decision about a connection failed; it was answered with 500", exit.cause))
      if (late) response.cork(() => sendReject(response, reject(500)))
      else sendReject(response, reject(500))
      return
    }
    try {
      answer(exit.value, late)
    } catch (defect) {
      finish(Exit.die(defect), late)
    }
  }

  const fiber = Effect.runForkWith(context)(verdict)
  const early = fiber.pollUnsafe()
  if (early !== undefined) {
    finish(early, false)
    return
  }

  Fiber.runIn(fiber, scope)
  const timer = setTimeout(() => {
    if (settled) return
    settled = true
    response.cork(() => sendReject(response, reject(503)))
    fiber.interruptUnsafe()
  }, timeoutMs)
  response.onAborted(() => {
    settled = true
    fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
  })
  fiber.addObserver((exit) => {
    clearTimeout(timer)
    if (settled) return
    settled = true
    finish(Exit.hasInterrupts(exit) ? Exit.succeed(reject(503)) : exit, true)
  })
}
