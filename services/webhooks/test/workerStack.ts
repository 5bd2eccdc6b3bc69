/** A webhook worker on a real database, with a sender that the test controls. */
import { termsOf } from "@matchpoint/domain/accounts"
import { Migrations } from "@matchpoint/games/Migrations"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { webhookRepositories } from "@matchpoint/store/ServiceRepositories"
import { OperationTimeout } from "@matchpoint/store/StoreError"
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import type { AnyDatabase } from "@matchpoint/testing/bothRuns"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { newSecret } from "@matchpoint/webhooks/signatures"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { type SendOutcome, type SendRequest, WebhookSender } from "../src/WebhookSender.ts"

export const box = new SecretBox([Redacted.make("a key for tests only")])

export interface Attempt {
  /** Time of the attempt on the clock of the test, epoch ms. */
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly eventId: string
}

export const answered = (status: number, retryAfterSeconds?: number): SendOutcome => ({
  _tag: "Answered",
  status,
  retryAfterSeconds,
  excerpt: `status ${status}`,
  durationMs: 1,
})

/** Records every attempt, and answers it as `answer` decides. */
export class ScriptedSender {
  readonly attempts: Array<Attempt> = []
  readonly #answer: (attempt: Attempt, number: number) => Effect.Effect<SendOutcome>

  constructor(answer: (attempt: Attempt, number: number) => Effect.Effect<SendOutcome>) {
    this.#answer = answer
  }

  readonly layer = Layer.sync(WebhookSender, () =>
    WebhookSender.of({
      send: (request) => Effect.flatMap(Clock.currentTimeMillis, (at) => this.#record(request, at)),
    }),
  )

  of(url: string): ReadonlyArray<Attempt> {
    return this.attempts.filter((attempt) => attempt.url === url)
  }

  #record({ body, headers, url }: SendRequest, at: number): Effect.Effect<SendOutcome> {
    const attempt = { at, url, headers, body: String(body), eventId: headers["X-Svc-Event-Id"] ?? "" }
    this.attempts.push(attempt)
    return this.#answer(attempt, this.attempts.length)
  }
}

/**
 * Operations of the database do not time out, because a test may advance its clock by hours while one is running. They
 * take real time.
 */
const noTimeouts = Layer.succeed(OperationTimeout, Duration.days(365))

/** Repositories of webhooks with the key for their secrets. */
export const storesOn = (database: AnyDatabase) =>
  Layer.mergeAll(webhookRepositories, Accounts.layer, Layer.succeed(WebhookSecrets, box)).pipe(
    Layer.provideMerge(WebhookWakeups.layerLocal),
    Layer.provide([Migrations.layer, noTimeouts]),
    Layer.provideMerge(database),
  )

let created = 0

/** Creates an account with an active webhook for the event `go.move`. Returns its id, its URL and its secret. */
export const subscribe = Effect.fnUntraced(function* (matchIds: ReadonlyArray<string> = [], maxPerSecond: number | null = null) {
  created += 1
  const subscriptionId = `00000000-0000-4000-a000-${String(created).padStart(12, "0")}`
  const url = `https://receiver-${created}.example.com/`
  const secret = newSecret()
  const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro")))
  const subscriptions = yield* WebhookSubscriptions
  yield* subscriptions.create(
    accountId,
    {
      subscriptionId,
      url,
      description: "",
      events: ["go.move"],
      games: [],
      matchIds,
      teamIds: [],
      playerIds: [],
      maxPerSecond,
      secret: box.seal(subscriptionId, Redacted.make(secret)),
      idempotency: undefined,
    },
    10,
  )
  const stored = Effect.map(subscriptions.get(accountId, subscriptionId), (found) => {
    if (found._tag === "None") throw new Error("the subscription is gone")
    return found.value
  })
  return { accountId, secret, stored, subscriptionId, url }
})

export const eventOf = (lane: string, seq: number): NewWebhookEvent => ({
  eventId: `evt_${lane}.1.${seq}.go.move`,
  name: "go.move",
  game: "go",
  lane,
  epoch: 1,
  seq,
  place: 0,
  teamIds: [],
  playerIds: [],
  occurredAt: 1_700_000_000_000,
  data: `{"seq":${seq}}`,
})

export const write = (...events: ReadonlyArray<NewWebhookEvent>) => Effect.flatMap(WebhookEvents, (store) => store.write(events))
