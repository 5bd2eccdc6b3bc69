/**
 * The RPC calls in one request body. If one call is rejected, the later calls get the same error without being tried. A
 * body therefore causes at most one failed check each of its key, its feed token and its limits.
 */
import type { CallerUnknown, FeedTokenRefused, LimitReached, NotEntitled, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { Context, Effect } from "effect"

/** First error of each check. */
interface Refusals {
  readonly key: CallerUnknown | TryAgain
  readonly feedToken: FeedTokenRefused
  readonly limits: NotEntitled | LimitReached | TryAgain
}

export type CallsTogether = { [Check in keyof Refusals]?: Refusals[Check] }

/** Errors of the current body. Undefined for calls over a WebSocket, which are checked one by one. */
export class CallsOfBody extends Context.Reference<CallsTogether | undefined>("@matchpoint/service-gateway/rpc/CallsOfBody", {
  defaultValue: () => undefined,
}) {}

/** Runs `step` unless the same check has already failed in this body. Records a failure. */
export const unlessRefused = <Check extends keyof Refusals, A, R>(
  check: Check,
  step: Effect.Effect<A, Refusals[Check], R>,
): Effect.Effect<A, Refusals[Check], R> =>
  Effect.flatMap(CallsOfBody, (calls): Effect.Effect<A, Refusals[Check], R> => {
    if (calls === undefined) return step
    const refusal: Refusals[Check] | undefined = calls[check]
    if (refusal !== undefined) return Effect.fail(refusal)
    return Effect.tapError(step, (error) =>
      Effect.sync(() => {
        calls[check] = error
      }),
    )
  })
