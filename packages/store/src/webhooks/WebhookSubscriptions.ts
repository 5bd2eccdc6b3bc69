/**
 * Webhook subscriptions of accounts. Secrets are stored as given, so the caller encrypts them. Which events a
 * subscription receives is decided when an event is stored, see `WebhookEvents`.
 */
import { PgClient } from "@effect/sql-pg"
import type { AccountId } from "@matchpoint/domain/accounts"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeEffect, storeOperation } from "../StoreError.ts"
import { removalStatements } from "./removalStatements.ts"
import { uuidParameter } from "./requestedIds.ts"
import { subscriptionColumns } from "./subscriptionColumns.ts"
import { WebhookWakeups } from "./WebhookWakeups.ts"

export const SubscriptionStatus = Schema.Literals(["active", "paused", "disabled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

/**
 * Why a subscription is not active. `customer`: paused by the customer. `plan`: the account's plan no longer includes
 * webhooks. `failures`: every attempt of a delivery failed. `gone`: the receiver answered 410.
 */
export const StatusReason = Schema.Literals(["customer", "plan", "failures", "gone"])
export type StatusReason = typeof StatusReason.Type

/** Choices of the customer. An empty filter matches every event. */
export const SubscriptionSettings = Schema.Struct({
  url: Schema.String,
  description: Schema.String,
  events: Schema.Array(Schema.String),
  games: Schema.Array(Schema.String),
  matchIds: Schema.Array(Schema.String),
  teamIds: Schema.Array(Schema.String),
  playerIds: Schema.Array(Schema.String),
  /** Deliveries per second and worker. Null means no limit. */
  maxPerSecond: Schema.NullOr(Schema.Natural),
})
export type SubscriptionSettings = typeof SubscriptionSettings.Type

export const StoredSubscription = Schema.Struct({
  subscriptionId: Schema.String,
  ...SubscriptionSettings.fields,
  status: SubscriptionStatus,
  statusReason: Schema.NullOr(StatusReason),
  /** Encrypted. */
  secret: Schema.Uint8Array,
  /** Times are epoch ms. */
  previousSecretUntil: Schema.NullOr(Counter),
  failingSince: Schema.NullOr(Counter),
  /** Highest number of failed attempts of a delivery since the last success. */
  failedAttempts: Schema.Natural,
  lastError: Schema.NullOr(Schema.String),
  /** Deliveries that wait for their next attempt. */
  pending: Counter,
  createdAt: Counter,
  changedAt: Counter,
})
export type StoredSubscription = typeof StoredSubscription.Type

export interface NewSubscription extends SubscriptionSettings {
  readonly subscriptionId: string
  readonly secret: Uint8Array
  /** Key and hash of a request that the customer may repeat. */
  readonly idempotency: { readonly key: string; readonly hash: Uint8Array } | undefined
}

/** `Repeated`: an earlier request with the same key and content has created the subscription. */
export type Creation =
  | { readonly _tag: "Created" | "Repeated"; readonly subscription: StoredSubscription }
  | { readonly _tag: "TooMany" }
  | { readonly _tag: "OtherRequest" }

export class WebhookSubscriptions extends Context.Service<
  WebhookSubscriptions,
  {
    /**
     * A repeated request returns the subscription that the first one created. `OtherRequest`: the idempotency key
     * belongs to a different request. `maximum` limits the account's subscriptions.
     */
    readonly create: (accountId: AccountId, subscription: NewSubscription, maximum: number) => Effect.Effect<Creation, StoreError>
    readonly get: (accountId: AccountId, subscriptionId: string) => Effect.Effect<Option.Option<StoredSubscription>, StoreError>
    /** Subscriptions of an account, newest first. */
    readonly list: (
      accountId: AccountId,
      page: { readonly limit: number; readonly offset: number },
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<StoredSubscription>; readonly total: number }, StoreError>
    /** Concurrent updates run one after the other. */
    readonly update: (
      accountId: AccountId,
      subscriptionId: string,
      change: (stored: StoredSubscription) => SubscriptionSettings,
    ) => Effect.Effect<Option.Option<StoredSubscription>, StoreError>
    /**
     * Deletes a subscription with its secret. Its deliveries no longer exist for the account and for workers; `clear`
     * deletes their rows. Returns false if the account has no such subscription.
     */
    readonly remove: (accountId: AccountId, subscriptionId: string) => Effect.Effect<boolean, StoreError>
    /**
     * Deletes rows of removed subscriptions. Deletes a limited number of rows and returns their number, so that callers
     * repeat it until it returns 0.
     */
    readonly clear: Effect.Effect<number, StoreError>
    /** Stops new deliveries and attempts. Pending deliveries are kept. Does not change a disabled subscription. */
    readonly pause: (accountId: AccountId, subscriptionId: string) => Effect.Effect<Option.Option<StoredSubscription>, StoreError>
    /** Makes a paused or disabled subscription active. Its pending deliveries are due at once. */
    readonly activate: (accountId: AccountId, subscriptionId: string) => Effect.Effect<Option.Option<StoredSubscription>, StoreError>
    /** The old secret stays valid until `previousUntil` (epoch ms). */
    readonly rotate: (
      accountId: AccountId,
      subscriptionId: string,
      secret: Uint8Array,
      previousUntil: number,
    ) => Effect.Effect<Option.Option<StoredSubscription>, StoreError>
    /** Encrypted secrets of all subscriptions, to encrypt them again with a new key. */
    readonly secrets: Effect.Effect<
      ReadonlyArray<{ readonly subscriptionId: string; readonly secret: Uint8Array; readonly previousSecret: Uint8Array | null }>,
      StoreError
    >
    /** Does nothing if the stored secret is no longer `from`. */
    readonly replaceSecret: (
      subscriptionId: string,
      from: Uint8Array,
      secret: Uint8Array,
      previousSecret: Uint8Array | null,
    ) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/webhooks/WebhookSubscriptions") {
  static readonly layer = Layer.effect(
    WebhookSubscriptions,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const wakeups = yield* WebhookWakeups
      const { clearing, removal } = removalStatements(sql)

      const columns = sql.literal(subscriptionColumns)

      const decode = Schema.decodeUnknownEffect(Schema.Array(StoredSubscription))
      const firstOf = (rows: Effect.Effect<ReadonlyArray<unknown>, Effect.Error<ReturnType<typeof select>>>) =>
        Effect.map(Effect.flatMap(rows, decode), (found) => Option.fromUndefinedOr(found[0]))

      const isOwned = (accountId: AccountId) => sql`s.account_id = ${accountId} AND s.removed_at IS NULL`
      const isThis = (accountId: AccountId, subscriptionId: string) =>
        sql`${isOwned(accountId)} AND s.subscription_id = ${uuidParameter(subscriptionId)}::uuid`

      const select = (accountId: AccountId, subscriptionId: string) =>
        sql`SELECT ${columns} FROM webhook_subscriptions s WHERE ${isThis(accountId, subscriptionId)}`

      const selectRepeated = SqlSchema.findOneOption({
        Request: Schema.Struct({ accountId: Schema.String, key: Schema.String }),
        Result: Schema.Struct({ subscriptionId: Schema.String, hash: Schema.NullOr(Schema.Uint8Array) }),
        execute: ({ accountId, key }) => sql`
          SELECT subscription_id::text AS "subscriptionId", request_hash AS hash FROM webhook_subscriptions
          WHERE account_id = ${accountId} AND idempotency_key = ${key}`,
      })

      const insert = (accountId: AccountId, one: NewSubscription, now: Date) => sql`
        INSERT INTO webhook_subscriptions (
          subscription_id, account_id, url, description, events, games, match_ids, team_ids, player_ids, max_per_second, secret,
          idempotency_key, request_hash, created_at, changed_at)
        VALUES (
          ${one.subscriptionId}, ${accountId}, ${one.url}, ${one.description}, ${one.events}::text[], ${one.games}::text[],
          ${one.matchIds}::text[], ${one.teamIds}::text[], ${one.playerIds}::text[], ${one.maxPerSecond}, ${one.secret},
          ${one.idempotency?.key ?? null}, ${one.idempotency?.hash ?? null}, ${now}, ${now})`

      const create = Effect.fnUntraced(function* (accountId: AccountId, one: NewSubscription, maximum: number) {
        // Concurrent requests of the account must not exceed the maximum or use the same idempotency key.
        yield* sql`SELECT FROM accounts WHERE account_id = ${accountId} FOR UPDATE`
        if (one.idempotency !== undefined) {
          const earlier = yield* selectRepeated({ accountId, key: one.idempotency.key })
          if (Option.isSome(earlier)) {
            if (!sameBytes(earlier.value.hash, one.idempotency.hash)) return { _tag: "OtherRequest" } as const
            const found = yield* firstOf(select(accountId, earlier.value.subscriptionId))
            if (Option.isSome(found)) return { _tag: "Repeated", subscription: found.value } as const
          }
        }
        const existing = yield* sql`SELECT subscription_id FROM webhook_subscriptions s WHERE ${isOwned(accountId)}`
        if (existing.length >= maximum) return { _tag: "TooMany" } as const
        yield* insert(accountId, one, dateOf(yield* Clock.currentTimeMillis))
        const created = yield* firstOf(select(accountId, one.subscriptionId))
        return { _tag: "Created", subscription: Option.getOrThrow(created) } as const
      })

      /** Updates the account's subscription `s`. */
      const change = (accountId: AccountId, subscriptionId: string, set: (now: Date) => Fragment) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          firstOf(
            sql`UPDATE webhook_subscriptions s SET ${set(new Date(now))}, changed_at = ${new Date(now)}
              WHERE ${isThis(accountId, subscriptionId)} RETURNING ${columns}`,
          ),
        )

      const update = Effect.fnUntraced(function* (
        accountId: AccountId,
        subscriptionId: string,
        settingsOf: (stored: StoredSubscription) => SubscriptionSettings,
      ) {
        const stored = yield* firstOf(sql`${select(accountId, subscriptionId)} FOR UPDATE`)
        if (Option.isNone(stored)) return stored
        const one = settingsOf(stored.value)
        return yield* change(
          accountId,
          subscriptionId,
          () => sql`url = ${one.url}, description = ${one.description}, events = ${one.events}::text[], games = ${one.games}::text[],
            match_ids = ${one.matchIds}::text[], team_ids = ${one.teamIds}::text[], player_ids = ${one.playerIds}::text[],
            max_per_second = ${one.maxPerSecond}`,
        )
      })

      const activate = Effect.fnUntraced(function* (accountId: AccountId, subscriptionId: string) {
        const changed = yield* change(
          accountId,
          subscriptionId,
          () => sql`status = 'active', status_reason = NULL, failing_since = NULL, failed_attempts = 0, last_error = NULL,
            activations = s.activations + 1`,
        )
        if (Option.isNone(changed)) return changed
        const now = dateOf(yield* Clock.currentTimeMillis)
        yield* sql`UPDATE webhook_lanes SET failures = 0, due_at = ${now} WHERE subscription_id = ${subscriptionId} AND pending > 0`
        return changed
      })

      const list = Effect.fnUntraced(function* (accountId: AccountId, page: { readonly limit: number; readonly offset: number }) {
        const rows = yield* Effect.flatMap(
          sql`SELECT ${columns} FROM webhook_subscriptions s WHERE ${isOwned(accountId)}
            ORDER BY s.created_at DESC, s.subscription_id LIMIT ${page.limit} OFFSET ${page.offset}`,
          decode,
        )
        const all = yield* sql`SELECT FROM webhook_subscriptions s WHERE ${isOwned(accountId)}`
        return { rows, total: all.length }
      })

      const operation = <Args extends ReadonlyArray<unknown>, A>(
        name: string,
        run: (...args: Args) => Effect.Effect<A, Effect.Error<ReturnType<typeof list>>>,
      ) => Effect.fn(`WebhookSubscriptions.${name}`)(run, storeOperation(`WebhookSubscriptions.${name}`, limit))

      return WebhookSubscriptions.of({
        create: operation("create", (accountId: AccountId, one: NewSubscription, maximum: number) =>
          sql.withTransaction(create(accountId, one, maximum)),
        ),
        get: operation("get", (accountId: AccountId, subscriptionId: string) => firstOf(select(accountId, subscriptionId))),
        list: operation("list", list),
        update: operation(
          "update",
          (accountId: AccountId, subscriptionId: string, settingsOf: (stored: StoredSubscription) => SubscriptionSettings) =>
            sql.withTransaction(update(accountId, subscriptionId, settingsOf)),
        ),
        remove: operation("remove", (accountId: AccountId, subscriptionId: string) =>
          Effect.map(change(accountId, subscriptionId, removal), Option.isSome),
        ),
        clear: Effect.map(Effect.all(clearing), (deleted) => deleted.reduce((sum, rows) => sum + rows.length, 0)).pipe(
          storeEffect("WebhookSubscriptions.clear", limit),
        ),
        pause: operation("pause", (accountId: AccountId, subscriptionId: string) =>
          change(
            accountId,
            subscriptionId,
            () => sql`status_reason = CASE WHEN s.status = 'active' THEN 'customer' ELSE s.status_reason END,
              status = CASE WHEN s.status = 'active' THEN 'paused' ELSE s.status END`,
          ),
        ),
        activate: operation("activate", (accountId: AccountId, subscriptionId: string) =>
          Effect.tap(sql.withTransaction(activate(accountId, subscriptionId)), () => wakeups.wake),
        ),
        rotate: operation("rotate", (accountId: AccountId, subscriptionId: string, secret: Uint8Array, previousUntil: number) =>
          change(
            accountId,
            subscriptionId,
            () => sql`previous_secret = s.secret, previous_secret_until = ${new Date(previousUntil)}, secret = ${secret}`,
          ),
        ),
        secrets: Effect.flatMap(
          sql`SELECT subscription_id::text AS "subscriptionId", secret, previous_secret AS "previousSecret"
            FROM webhook_subscriptions WHERE removed_at IS NULL`,
          decodeSecrets,
        ).pipe(storeEffect("WebhookSubscriptions.secrets", limit)),
        replaceSecret: operation(
          "replaceSecret",
          (subscriptionId: string, from: Uint8Array, secret: Uint8Array, previousSecret: Uint8Array | null) =>
            Effect.asVoid(sql`UPDATE webhook_subscriptions SET secret = ${secret}, previous_secret = ${previousSecret}
              WHERE subscription_id = ${uuidParameter(subscriptionId)}::uuid AND secret = ${from}`),
        ),
      })
    }),
  )
}

const decodeSecrets = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ subscriptionId: Schema.String, secret: Schema.Uint8Array, previousSecret: Schema.NullOr(Schema.Uint8Array) }),
  ),
)

const sameBytes = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && one.length === other.length && one.every((byte, index) => byte === other[index])

const dateOf = (epochMs: number): Date => new Date(epochMs)
