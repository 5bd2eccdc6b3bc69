/**
 * State shared by the RPC calls in one HTTP request body. If a check rejects one call, later calls in the body fail
 * with the same error and the check is not repeated. A body therefore causes at most one failed check each of the API
 * key, the feed token and the limits.
 */
import type { CallerUnknown, FeedTokenRefused, LimitReached, NotEntitled, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { Context, Effect } from "effect"

/**
 * For each check (of the API key, the feed token and the limits), the type of the errors with which it can reject a
 * call.
 */
interface Refusals {
  readonly key: CallerUnknown | TryAgain
  readonly feedToken: FeedTokenRefused
  readonly limits: NotEntitled | LimitReached | TryAgain
}

export type FirstRefusals = { [Check in keyof Refusals]?: Refusals[Check] }

/**
 * Errors found so far in the calls of the current HTTP request body, at most one per check. Undefined for calls over a
 * WebSocket, where every call is checked.
 */
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
