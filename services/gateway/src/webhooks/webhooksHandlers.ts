/** The API key determines the account, so customers see only their own webhooks. The webhook service makes the deliveries. */
import { createHash, randomUUID } from "node:crypto"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { Conflict, NotFound, ServiceUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { readInstant } from "@matchpoint/contracts/http/instants"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { WebhooksAliasApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import {
  type NewWebhook,
  type ResendRequest,
  type SecretRotation,
  type WebhookChange,
  webhookLimits,
} from "@matchpoint/contracts/http/webhooks/webhookModels"
import { TEST_EVENT } from "@matchpoint/contracts/webhook/webhookEvents"
import type { AccountId } from "@matchpoint/domain/accounts"
import { pageOf } from "@matchpoint/game/edge/page"
import { handlersWith, unavailable } from "@matchpoint/game/edge/responses/unavailable"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { StoreError } from "@matchpoint/store/StoreError"
import { WebhookDeliveries } from "@matchpoint/store/webhooks/WebhookDeliveries"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { type StoredSubscription, WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { newSecret } from "@matchpoint/webhooks/signatures"
import { UrlCheck } from "@matchpoint/webhooks/UrlCheck"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { WebhookNames } from "./WebhookNames.ts"
import { WebhookTests } from "./WebhookTests.ts"
import { changedSettings, deliveryRow, settingsOf, webhookRow } from "./webhookRows.ts"

const DAY_SECONDS = 86_400
/** How long a creation can be repeated with its idempotency key. */
const REPEATABLE_MS = DAY_SECONDS * 1000

interface OfWebhook {
  readonly params: { readonly webhookId: string }
}
interface OfDelivery {
  readonly params: { readonly webhookId: string; readonly deliveryId: string }
}
interface OfPage {
  readonly query: { readonly limit?: number; readonly page?: number }
}

const makeHandlers = Effect.gen(function* () {
  const subscriptions = yield* WebhookSubscriptions
  const deliveries = yield* WebhookDeliveries
  const events = yield* WebhookEvents
  const names = yield* WebhookNames
  const tests = yield* WebhookTests
  const urls = yield* UrlCheck
  const secrets = yield* WebhookSecrets

  const box = secrets === null ? Effect.fail(noKey) : Effect.succeed(secrets)

  const checkedUrl = (url: string) => Effect.mapError(urls.check(url), ({ message }) => ValidationError.because(message, { field: "url" }))

  const checkEvents = (wanted: ReadonlyArray<string>) => {
    const unknown = wanted.filter((name) => !names.has(name))
    if (unknown.length === 0) return Effect.void
    return Effect.fail(
      ValidationError.because(`unknown events: ${unknown.slice(0, 5).join(", ")}; see details.known`, {
        field: "events",
        known: [...names],
      }),
    )
  }

  /** Fails with `NotFound`. */
  const existing = <E>(found: Effect.Effect<Option.Option<StoredSubscription>, E>) =>
    Effect.flatMap(found, (one) => (Option.isSome(one) ? Effect.succeed(one.value) : Effect.fail(notFound)))

  const shown = Effect.fnUntraced(function* (stored: StoredSubscription) {
    return data(webhookRow(stored, yield* Clock.currentTimeMillis))
  })

  const withSecret = Effect.fnUntraced(function* (stored: StoredSubscription, secret: Redacted.Redacted<string>) {
    return data({ ...webhookRow(stored, yield* Clock.currentTimeMillis), secret: Redacted.value(secret) })
  })

  const active = Effect.fnUntraced(function* (accountId: AccountId, webhookId: string) {
    const stored = yield* existing(subscriptions.get(accountId, webhookId))
    if (stored.status !== "active")
      return yield* Conflict.because(`the webhook is ${stored.status}; POST /webhooks/${webhookId}/activate first`)
    return stored
  })

  const create = answering(function* (request: {
    readonly payload: typeof NewWebhook.Type
    readonly headers: { readonly "idempotency-key"?: string }
  }) {
    const { payload } = request
    const { accountId } = yield* Caller
    const sealing = yield* box
    yield* checkEvents(payload.events)
    const url = yield* checkedUrl(payload.url)
    const subscriptionId = randomUUID()
    const secret = Redacted.make(newSecret())
    const key = request.headers["idempotency-key"]
    const creation = yield* subscriptions.create(
      accountId,
      {
        subscriptionId,
        ...settingsOf(payload, url),
        secret: sealing.seal(subscriptionId, secret),
        idempotency: key === undefined ? undefined : { key, hash: createHash("sha256").update(JSON.stringify(payload)).digest() },
      },
      webhookLimits.subscriptions,
    )
    switch (creation._tag) {
      case "Created":
        return yield* withSecret(creation.subscription, secret)
      case "Repeated": {
        const { subscription } = creation
        const stored = sealing.open(subscription.subscriptionId, subscription.secret)
        // biome-ignore lint/plugin: compared with a time in the database
        const isRecent = (yield* Clock.currentTimeMillis) - subscription.createdAt < REPEATABLE_MS
        if (stored === undefined || !isRecent) return yield* usedKey
        return yield* withSecret(subscription, stored)
      }
      case "OtherRequest":
        return yield* usedKey
      case "TooMany":
        return yield* Conflict.because(`an account may have at most ${webhookLimits.subscriptions} webhooks; delete one first`)
    }
  })

  const update = answering(function* ({ params, payload }: OfWebhook & { readonly payload: typeof WebhookChange.Type }) {
    const { accountId } = yield* Caller
    yield* existing(subscriptions.get(accountId, params.webhookId))
    if (payload.events !== undefined) yield* checkEvents(payload.events)
    const url = payload.url === undefined ? undefined : yield* checkedUrl(payload.url)
    return yield* Effect.flatMap(
      existing(subscriptions.update(accountId, params.webhookId, (stored) => changedSettings(stored, payload, url))),
      shown,
    )
  })

  const rotateSecret = answering(function* ({ params, payload }: OfWebhook & { readonly payload: typeof SecretRotation.Type }) {
    const { accountId } = yield* Caller
    const sealing = yield* box
    // The secret is bound to the stored spelling of the id.
    const { subscriptionId } = yield* existing(subscriptions.get(accountId, params.webhookId))
    const secret = Redacted.make(newSecret())
    const until = (yield* Clock.currentTimeMillis) + (payload.grace_seconds ?? DAY_SECONDS) * 1000
    const rotated = yield* existing(subscriptions.rotate(accountId, subscriptionId, sealing.seal(subscriptionId, secret), until))
    return yield* withSecret(rotated, secret)
  })

  const test = answering(function* ({ params }: OfWebhook) {
    const { accountId } = yield* Caller
    const { subscriptionId } = yield* active(accountId, params.webhookId)
    yield* tests.count(accountId)
    const eventId = `evt_test_${randomUUID()}`
    const queued = yield* events.writeFor(subscriptionId, {
      eventId,
      name: TEST_EVENT,
      game: "test",
      // Each test has its own lane, so that a failed one does not delay the next.
      lane: eventId,
      epoch: 0,
      seq: 0,
      place: 0,
      teamIds: [],
      playerIds: [],
      occurredAt: yield* Clock.currentTimeMillis,
      data: JSON.stringify({ message: "This is a test. If you can verify it, your server is ready." }),
    })
    return data({ queued })
  })

  const resendAll = answering(function* ({ params, payload }: OfWebhook & { readonly payload: typeof ResendRequest.Type }) {
    const { accountId } = yield* Caller
    yield* active(accountId, params.webhookId)
    const from =
      "since" in payload ? { since: readInstant(payload.since) } : { matchId: payload.match_id, epoch: payload.epoch, seq: payload.seq }
    return data({ queued: yield* events.resend(accountId, params.webhookId, from) })
  })

  /** Handles a request about the caller's webhook with one operation of the store. */
  const operation = (run: (accountId: AccountId, webhookId: string) => Effect.Effect<Option.Option<StoredSubscription>, StoreError>) =>
    answering(function* ({ params }: OfWebhook) {
      const { accountId } = yield* Caller
      return yield* shown(yield* existing(run(accountId, params.webhookId)))
    })

  const list = answering(function* ({ query }: OfPage) {
    const { accountId } = yield* Caller
    const page = pageOf(query, webhookLimits.list)
    const { rows, total } = yield* subscriptions.list(accountId, page)
    const now = yield* Clock.currentTimeMillis
    return { success: true as const, data: rows.map((row) => webhookRow(row, now)), meta: pagingOf(page, rows.length, total) }
  })

  const remove = answering(function* ({ params }: OfWebhook) {
    const { accountId } = yield* Caller
    if (!(yield* subscriptions.remove(accountId, params.webhookId))) return yield* notFound
    return data({ id: params.webhookId, deleted: true as const })
  })

  const listDeliveries = answering(function* ({ params, query }: OfWebhook & OfPage) {
    const { accountId } = yield* Caller
    yield* existing(subscriptions.get(accountId, params.webhookId))
    const page = pageOf(query, webhookLimits.deliveries)
    const { rows, total } = yield* deliveries.list(accountId, params.webhookId, page)
    return { success: true as const, data: rows.map(deliveryRow), meta: pagingOf(page, rows.length, total) }
  })

  const ofDelivery = (run: typeof deliveries.get) =>
    answering(function* ({ params }: OfDelivery) {
      const { accountId } = yield* Caller
      const found = yield* run(accountId, params.webhookId, params.deliveryId)
      return Option.isSome(found) ? data(deliveryRow(found.value)) : yield* noDelivery
    })

  return {
    create,
    list,
    read: operation(subscriptions.get),
    update,
    remove,
    pause: operation(subscriptions.pause),
    activate: operation(subscriptions.activate),
    rotateSecret,
    test,
    resendAll,
    deliveries: listDeliveries,
    delivery: ofDelivery(deliveries.get),
    resend: ofDelivery(deliveries.resend),
  }
})

const answering = handlersWith(unavailable("webhooks cannot be read or changed"))

const data = <A>(shown: A) => ({ success: true as const, data: shown, meta: {} })

const notFound = NotFound.of("your account has no webhook with this id; GET /webhooks lists your webhooks")
const noDelivery = Effect.fail(NotFound.of("this webhook has no delivery with this id; entries of the log are kept for 7 days"))
const noKey = ServiceUnavailable.because("this server has no key for the secrets of webhooks; the operator must set MATCHPOINT_WEBHOOK_KEY")
const usedKey = Effect.fail(
  Conflict.because("this Idempotency-Key belongs to another request; use a new key for each webhook that you create"),
)

export const WebhooksHandlers = Layer.merge(
  endpointGroup(ServiceApi, "webhooks", (handlers) => Effect.map(makeHandlers, (all) => handlers.handleAll(all))),
  endpointGroup(WebhooksAliasApi, "webhooks-alias", (handlers) => Effect.map(makeHandlers, (all) => handlers.handleAll(all))),
).pipe(Layer.provide(WebhookTests.layer))
