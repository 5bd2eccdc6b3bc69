/**
 * State shared by the RPC calls in one HTTP body. After a failed check, later calls fail with the same error, so a body
 * causes at most one failed check each of the API key, the feed token and the limits.
 */
import type { CallerUnknown, FeedTokenRefused, LimitReached, NotEntitled, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { Context, Effect } from "effect"

/** Errors by check. */
interface Refusals {
  readonly key: CallerUnknown | TryAgain
  readonly feedToken: FeedTokenRefused
  readonly limits: NotEntitled | LimitReached | TryAgain
}

export type FirstRefusals = { [Check in keyof Refusals]?: Refusals[Check] }

/** The first error of each check. Undefined over a WebSocket, where every call is checked. */
export class CallsOfBody extends Context.Reference<FirstRefusals | undefined>("@matchpoint/service-gateway/rpc/CallsOfBody", {
  defaultValue: () => undefined,
}) {}

/** If `step` fails, the error is recorded for later calls. */
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
