/** Deletes old deliveries and events and the rows of removed webhooks, and encrypts secrets with the current key. */
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { type Cause, Clock, Duration, Effect, Layer, Schedule } from "effect"
import { WebhookConfig } from "./WebhookConfig.ts"

const PRUNE_EVERY = Duration.minutes(10)

/** Deletes what is older than `keepFor`, and what belongs to removed webhooks, in small steps. */
export const prune = Effect.gen(function* () {
  const [events, subscriptions] = [yield* WebhookEvents, yield* WebhookSubscriptions]
  const { keepFor } = yield* WebhookConfig
  // biome-ignore lint/plugin: compared with times in the database
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(keepFor)
  while ((yield* events.prune(before)) > 0);
  while ((yield* subscriptions.clear) > 0);
})

/** Encrypts secrets again that an older key has encrypted. Logs how many no configured key can decrypt. */
export const renewSecrets = Effect.gen(function* () {
  const box = yield* WebhookSecrets
  if (box === null) return
  const subscriptions = yield* WebhookSubscriptions
  let [renewed, unreadable] = [0, 0]
  for (const { previousSecret, secret, subscriptionId } of yield* subscriptions.secrets) {
    if (box.isCurrent(secret) && (previousSecret === null || box.isCurrent(previousSecret))) continue
    const opened = box.open(subscriptionId, secret)
    if (opened === undefined) {
      unreadable += 1
      continue
    }
    const previous = previousSecret === null ? undefined : box.open(subscriptionId, previousSecret)
    const sealedPrevious = previous === undefined ? null : box.seal(subscriptionId, previous)
    yield* subscriptions.replaceSecret(subscriptionId, secret, box.seal(subscriptionId, opened), sealedPrevious)
    renewed += 1
  }
  if (renewed > 0) yield* Effect.logInfo(`encrypted ${renewed} webhook secrets with the new key`)
  if (unreadable > 0) {
    yield* Effect.logError(`${unreadable} webhook secrets cannot be decrypted: add the key that encrypted them after the current one`)
  }
})

const RETRY_AFTER = Duration.minutes(1)

const logged = (what: string) => (cause: Cause.Cause<unknown>) => Effect.logWarning(`cannot ${what}; retrying later`, cause)

export class WebhookUpkeep {
  static readonly layer = Layer.effectDiscard(
    Effect.all(
      [
        renewSecrets.pipe(
          Effect.tapCause(logged("renew webhook secrets")),
          Effect.retry({ schedule: Schedule.spaced(RETRY_AFTER) }),
          Effect.forkScoped,
        ),
        prune.pipe(
          Effect.catchCause(logged("delete old webhook deliveries")),
          Effect.andThen(Effect.sleep(PRUNE_EVERY)),
          Effect.forever,
          Effect.forkScoped,
        ),
      ],
      { discard: true },
    ).pipe(Effect.annotateLogs({ service: "webhooks" })),
  )
}
