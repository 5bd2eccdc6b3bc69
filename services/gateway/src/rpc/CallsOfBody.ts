/**
 * State shared by the RPC calls in one request body. If one call is rejected by a check, later calls fail with the same
 * error and the check is not repeated. A body therefore causes at most one failed check of its key, one of its feed
 * token and one of its limits.
 */
import type { CallerUnknown, FeedTokenRefused, LimitReached, NotEntitled, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { Context, Effect } from "effect"

/** First error of each check: of the key, the feed token and the limits. */
interface Refusals {
  readonly key: CallerUnknown | TryAgain
  readonly feedToken: FeedTokenRefused
  readonly limits: NotEntitled | LimitReached | TryAgain
}

export type FirstRefusals = { [Check in keyof Refusals]?: Refusals[Check] }

/** Errors of the current body. Undefined for calls over a WebSocket, which are checked one by one. */
export class CallsOfBody extends Context.Reference<FirstRefusals | undefined>("@matchpoint/service-gateway/rpc/CallsOfBody", {
  defaultValue: () => undefined,
}) {}

/**
 * Runs `step` unless the same check has already failed for this request body. If `step` fails, the error is recorded
 * for later calls.
 */
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
