// Owns how an Effect decides about a connection that is still an open HTTP response: at once, later, or never.
// Shared by WebSocket and SSE routes; what an acceptance means is theirs.

import type { HttpResponse } from "uWebSockets.js"
import { type Context, Effect, Exit, Fiber, type Scope } from "effect"
import { HttpServerError } from "effect/http"
import { reject, sendReject, type Verdict } from "./Verdict.ts"

/**
 * Runs `verdict` and calls `answer` with its result: before this returns, and corked, if the effect needs no waiting, so that such a
 * decision costs no timer, promise or cork; else later and not corked (`late`). A client that leaves interrupts the effect; `timeoutMs`
 * answers 503; a defect (also one thrown by `answer`) answers 500 and is logged.
 *
 * A late upgrade must not be inside a cork of ours: the native library then closes some of the sockets at random. The cause is known:
 * `upgrade` makes the WebSocket in the memory of the HTTP response, and `cork`, when its callback has returned, reads the state of that
 * response from there. uWebSockets fixed it in pull request 1929; the build that we use is older, and none that has the fix is published.
 * Until then a late upgrade prints "uWS.HttpResponse writes must be made from within a corked callback" on stderr once for each: harmless,
 * it costs a system call. When the build has the fix, upgrade inside `response.cork` and remove this paragraph and `late`.
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
