/**
 * The calls that came in one request body. If one of them is refused, the calls after it get the same refusal without being tried, so
 * that a body costs at most one failed check of its key, its feed token and its limits.
 */
import type { CallerUnknown, FeedTokenRefused, LimitReached, NotEntitled, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { Context, Effect } from "effect"

/** The first refusal of each check. */
interface Refusals {
  readonly key: CallerUnknown | TryAgain
  readonly feedToken: FeedTokenRefused
  readonly limits: NotEntitled | LimitReached | TryAgain
}

export type CallsTogether = { [Check in keyof Refusals]?: Refusals[Check] }

/** Undefined for calls over a WebSocket, which are checked one by one. */
export class CallsOfBody extends Context.Reference<CallsTogether | undefined>("@matchpoint/service-gateway/rpc/CallsOfBody", {
  defaultValue: () => undefined,
}) {}

/** Runs `step` unless the same check has refused a call of this body before. Records its refusal. */
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
