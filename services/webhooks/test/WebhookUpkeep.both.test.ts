/** Tests the recurring work on stored webhooks. The time is virtual. */
import { assert, layer } from "@effect/vitest"
import { StoreError } from "@matchpoint/store/StoreError"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WebhookUpkeep } from "../src/WebhookUpkeep.ts"
import { storesOn, subscribe } from "./workerStack.ts"

const newKey = Redacted.make("the new key for tests only")
const oldKey = Redacted.make("a key for tests only")

onDatabaseOfRun((name, database) => {
  layer(storesOn(database), { timeout: "60 seconds" })(`the secrets of webhooks on ${name}`, (it) => {
    it.effect("are encrypted with the new key once the database responds, at most a minute later", () =>
      Effect.gen(function* () {
        const webhook = yield* subscribe()
        const subscriptions = yield* WebhookSubscriptions
        let asked = 0
        let isAway = true
        const away = new StoreError({ operation: "WebhookSubscriptions.secrets", cause: new Error("no connection") })
        const outage = WebhookSubscriptions.of({
          ...subscriptions,
          secrets: Effect.suspend(() => {
            asked += 1
            return isAway ? Effect.fail(away) : subscriptions.secrets
          }),
        })
        yield* Layer.build(WebhookUpkeep.layer).pipe(
          Effect.provideService(WebhookSubscriptions, outage),
          Effect.provideService(WebhookSecrets, new SecretBox([newKey, oldKey])),
        )
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(asked, 1)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(asked, 2)
        isAway = false
        yield* TestClock.adjust("1 minute")
        const onlyNew = new SecretBox([newKey])
        const opened = Effect.map(webhook.stored, ({ secret }) => onlyNew.open(webhook.subscriptionId, secret))
        yield* eventually(Effect.map(opened, (secret) => secret !== undefined))
        assert.strictEqual(Redacted.value((yield* opened) ?? Redacted.make("")), webhook.secret)
      }).pipe(Effect.scoped),
    )
  })
})
