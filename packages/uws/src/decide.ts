// Runs the Effect that decides about a connection while it is still an open HTTP response. WebSocket and SSE routes
// share it; each defines what an acceptance does.

import type { HttpResponse } from "uWebSockets.js"
import { type Context, Effect, Exit, Fiber, type Scope } from "effect"
import { HttpServerError } from "effect/http"
import { reject, sendReject, type Verdict } from "./Verdict.ts"

/**
 * Runs `verdict` and calls `answer` with its result. If the effect needs no waiting, `answer` is called before this
 * returns, and corked, so that such a decision costs no timer, promise or cork. Otherwise `answer` is called later, and
 * not corked (`late`).
 * If the client leaves, the effect is interrupted. After `timeoutMs` the client gets a 503. A defect, even one thrown
 * by `answer`, is answered with 500 and logged.
 *
 * A late upgrade must not run inside a cork of ours, because the native library then closes some of the sockets at
 * random. The cause is known: `upgrade` creates the WebSocket in the memory of the HTTP response, and `cork` reads the
 * state of that response from there after its callback has returned. uWebSockets fixed it in pull request 1929. The
 * build used here is older, and no build with the fix is published.
 * Until then, each late upgrade prints "uWS.HttpResponse writes must be made from within a corked callback" on stderr.
 * This is harmless and costs one system call. Once the build has the fix, upgrade inside `response.cork` and remove
 * this paragraph and `late`.
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
