/**
 * Limits the test events of an account, on all gateways together. Each has a lane of its own, so without this limit a
 * customer could queue any number of requests to a server.
 */
import { Conflict } from "@matchpoint/contracts/http/errors"
import type { AccountId } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Context, Effect, Layer } from "effect"
import { makeAddressBuckets } from "../http/AddressBuckets.ts"

const TESTS_AT_ONCE = 10
const SECONDS_PER_TEST = 10

const tooMany = Conflict.because(
  `your account may send ${TESTS_AT_ONCE} test events at once and then one every ${SECONDS_PER_TEST} seconds; wait and try again`,
)

export class WebhookTests extends Context.Service<
  WebhookTests,
  {
    /** Fails if the account has sent too many. */
    readonly count: (accountId: AccountId) => Effect.Effect<void, Conflict>
  }
>()("@matchpoint/service-gateway/webhooks/WebhookTests") {
  static readonly layer = Layer.effect(
    WebhookTests,
    Effect.gen(function* () {
      const now = monotonicOf(yield* Clock.Clock)
      const buckets = yield* makeAddressBuckets({ name: "webhookTests", perSecond: 1 / SECONDS_PER_TEST, burst: TESTS_AT_ONCE, now })
      return WebhookTests.of({
        count: (accountId) => Effect.suspend(() => (buckets.take(accountId) ? Effect.void : Effect.fail(tooMany))),
      })
    }),
  )
}
