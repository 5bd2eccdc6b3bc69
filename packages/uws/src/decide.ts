// Owns how an Effect decides about a connection that is still an open HTTP response: at once, later, or never.
// Shared by WebSocket and SSE routes; what an acceptance means is theirs.

import type { HttpResponse } from "uWebSockets.js"
import { type Context, Effect, Exit, Fiber, type Scope } from "effect"
import { HttpServerError } from "effect/http"
import { reject, sendReject, type Verdict } from "./Verdict.ts"

/**
 * Runs `verdict` and calls `answer` with its result: before this returns, and corked, if the effect needs no waiting, so that such a
 * decision costs no timer, promise or cork; else later and not corked (`late`), see below. A client that leaves interrupts the effect; `timeoutMs` answers 503; a defect
 * (also one thrown by `answer`) answers 500 and is logged.
 *
 * A late upgrade must not run inside a cork of our own. When the memory of the response is reused in place for the WebSocket, `cork()` of
 * the native library does not notice the upgrade, reads the state of the old response from that memory, and may close the new socket.
 * https://github.com/uNetworking/uWebSockets/pull/1929 repairs that, but not in the build used here. Without the cork the library writes
 * a warning about it to stderr for each late upgrade. With a build that has the repair, cork late answers here, and drop `late`.
 */
export const decide = <Data, R>(
  response: HttpResponse,
  verdict: Effect.Effect<Verdict<Data>, never, R>,
  context: Context.Context<R>,
  scope: Scope.Scope,
  timeoutMs: number,
  answer: (verdict: Verdict<Data>, late: boolean) => void,
): void => {
  let settled = false
  const finish = (exit: Exit.Exit<Verdict<Data>>, late: boolean): void => {
    if (Exit.isFailure(exit)) {
      Effect.runForkWith(context)(Effect.logError("Deciding about a connection failed", exit.cause))
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
