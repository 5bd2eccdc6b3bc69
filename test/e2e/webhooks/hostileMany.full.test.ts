/** Many slow receivers, which occupy every lane of the worker. */
import { assert, it } from "@effect/vitest"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { Clock, Effect } from "effect"
import { ATTEMPT_TIMEOUT_MS, create, deliveringStack } from "../../fixtures/webhooks/deliveringStack.ts"
import { answerOk, RECEIVER_ADDRESS, receiver } from "../../fixtures/webhooks/hostileReceivers.ts"
import { eventOf, newKey } from "../../fixtures/webhooks/webhookStack.ts"

const names = new Map([["receiver.test", [RECEIVER_ADDRESS]]])

/** More than the 256 lanes of a worker at 16 lanes per webhook, within the limit of one account. */
const SLOW_WEBHOOKS = 20

onDatabaseOfRun((database, layer) =>
  it.layer(deliveringStack(layer, names), { timeout: 60_000, excludeTestServices: true })(
    `slow webhooks of one account on ${database}`,
    (it) => {
      it.effect("delay those of other accounts for one attempt at most", () =>
        Effect.gen(function* () {
          const key = yield* newKey()
          const slow = yield* receiver(() => {})
          for (let count = 0; count < SLOW_WEBHOOKS; count++) yield* create(key, slow.url, "match.updated")
          const healthy = yield* receiver(answerOk)
          yield* create(yield* newKey(), healthy.url, "match.started")
          const { write } = yield* WebhookEvents
          yield* write(Array.from({ length: 100 }, (_, at) => eventOf(`cs2-match-${9_000 + at}`, 1)))
          yield* Effect.sleep(300)
          const writtenAt = yield* Clock.currentTimeMillis
          yield* write([eventOf("cs2-match-9000", 2, { name: "match.started" })])
          yield* eventually(Effect.sync(() => healthy.received.length > 0))
          const tookMs = (healthy.received[0]?.at ?? 0) - writtenAt
          assert.isBelow(tookMs, ATTEMPT_TIMEOUT_MS + 1_000)
        }),
      )
    },
  ),
)
