/** Webhooks as the management API shows them, and the requests that change them. */
import { Game } from "@matchpoint/domain/plans"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { Instant, instantOf } from "../instants.ts"

export const webhookLimits = {
  subscriptions: 50,
  events: 64,
  filter: 100,
  url: 2_048,
  description: 500,
  list: 100,
  deliveries: 100,
} as const

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })
const nullable = Schema.NullOr
const list = <S extends Schema.Constraint>(item: S, most: number) => Schema.Array(item).check(Schema.isMaxLength(most), Schema.isUnique())
const Id = StorableText.check(Schema.isMinLength(1), Schema.isMaxLength(120))

/** Each filter that is not empty must match. */
const filters = {
  games: list(Game, 10).annotate({ description: "Only events of these games. Empty: of every game" }),
  match_ids: list(Id, webhookLimits.filter).annotate({ description: "Only events of these matches" }),
  team_ids: list(Id, webhookLimits.filter).annotate({ description: "Only events that concern one of these teams" }),
  player_ids: list(Id, webhookLimits.filter).annotate({ description: "Only events that concern one of these players" }),
} as const

const Filters = Schema.Struct(filters).annotate({ identifier: "WebhookFilters" })

const url = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(webhookLimits.url)).annotate({
  description: "https address of your server. It must not resolve to a private address",
})
const events = Schema.Array(Id)
  .check(Schema.isMinLength(1), Schema.isMaxLength(webhookLimits.events), Schema.isUnique())
  .annotate({ description: "Names of events, for example `match.started` or `cs2.score.updated`" })
const description = StorableText.check(Schema.isMaxLength(webhookLimits.description))
const maxPerSecond = nullable(Schema.Natural.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))).annotate({
  description: "Most deliveries per second that your server wants. null: no limit",
})

/** Absent filters are empty. */
const ChosenFilters = Schema.Struct({
  games: Schema.optionalKey(filters.games),
  match_ids: Schema.optionalKey(filters.match_ids),
  team_ids: Schema.optionalKey(filters.team_ids),
  player_ids: Schema.optionalKey(filters.player_ids),
}).annotate({ identifier: "WebhookFilterChoice" })

export const NewWebhook = Schema.Struct({
  url,
  events,
  description: Schema.optionalKey(description),
  filters: Schema.optionalKey(ChosenFilters),
  max_per_second: Schema.optionalKey(maxPerSecond),
}).annotate({ identifier: "NewWebhook" })
export type NewWebhook = typeof NewWebhook.Type

/** Absent fields stay as they are. `filters` replaces all filters. */
export const WebhookChange = Schema.Struct({
  url: Schema.optionalKey(url),
  events: Schema.optionalKey(events),
  description: Schema.optionalKey(description),
  filters: Schema.optionalKey(ChosenFilters),
  max_per_second: Schema.optionalKey(maxPerSecond),
}).annotate({ identifier: "WebhookChange" })
export type WebhookChange = typeof WebhookChange.Type

const webhook = {
  id: Schema.String,
  url: Schema.String,
  events: Schema.Array(Schema.String),
  description: Schema.String,
  filters: Filters,
  max_per_second: nullable(Schema.Natural),
  status: Schema.Literals(["active", "paused", "disabled"]),
  status_reason: described(
    nullable(Schema.Literals(["customer", "plan", "failures", "gone"])),
    "Why the webhook is not active. `customer`: you paused it. `plan`: your plan has no webhooks. `failures`: a delivery failed six times. " +
      "`gone`: your server answered 410",
  ),
  warning: described(
    nullable(
      Schema.Struct({
        failing_since: Instant,
        failed_attempts: described(Schema.Natural, "Failed attempts of one delivery. The sixth disables the webhook"),
        last_error: Schema.String,
      }),
    ),
    "Set while deliveries fail",
  ),
  pending: described(Schema.Natural, "Deliveries that wait for their first or next attempt"),
  previous_secret_valid_until: described(nullable(Instant), "Until then deliveries are also signed with the previous secret"),
  created_at: Instant,
  updated_at: Instant,
} as const

export const Webhook = Schema.Struct(webhook).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

export const WebhookWithSecret = Schema.Struct({
  ...webhook,
  secret: described(Schema.String, "Key of the signatures. Store it now: no other response contains it"),
}).annotate({ identifier: "WebhookWithSecret" })
export type WebhookWithSecret = typeof WebhookWithSecret.Type

export const DeletedWebhook = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  identifier: "DeletedWebhook",
})

export const SecretRotation = Schema.Struct({
  grace_seconds: Schema.optionalKey(
    Schema.Natural.check(Schema.isLessThanOrEqualTo(7 * 86_400)).annotate({
      description: "How long the old secret stays valid. Default: 86,400 (one day)",
    }),
  ),
}).annotate({ identifier: "WebhookSecretRotation" })

export const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  event_id: Schema.String,
  event: described(nullable(Schema.String), "null if the event is no longer stored"),
  match_id: described(nullable(Schema.String), "null if the event does not belong to a match"),
  epoch: nullable(Schema.Natural),
  seq: nullable(Schema.Natural),
  trace: Schema.Struct({
    fact_id: described(nullable(Schema.String), "Feed event that caused the event. null if none did"),
    fact_received_at: described(nullable(Instant), "When the server received the feed event"),
    stored_at: described(nullable(Instant), "When the event was stored and queued. null if it is no longer stored"),
  }).annotate({ identifier: "WebhookTrace", description: "The way of the event from the feed to this delivery" }),
  status: described(
    Schema.Literals(["pending", "delivered", "failed"]),
    "`failed`: the last attempt failed. Only a resend delivers the event now",
  ),
  attempts: Schema.Array(
    Schema.Struct({
      at: Instant,
      attempt: Schema.Natural,
      duration_ms: Schema.Finite,
      status: described(nullable(Schema.Int), "HTTP status. null if your server did not answer"),
      error: nullable(Schema.String),
      response: described(nullable(Schema.String), "Start of the response, at most 1,024 characters"),
    }),
  ).annotate({ description: "Oldest first" }),
  next_attempt_at: described(nullable(Instant), "null if the delivery is finished, or waits for an earlier one of its match"),
  created_at: Instant,
  finished_at: nullable(Instant),
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

/** The database stores a signed 32-bit number. */
const Epoch = Schema.Natural.check(Schema.isLessThanOrEqualTo(2 ** 31 - 1))

export const ResendRequest = Schema.Union([
  Schema.Struct({ since: instantOf("Resends the events stored since then") }),
  Schema.Struct({
    match_id: Id.annotate({ description: "Resends the events of this match after the given position" }),
    epoch: Epoch,
    seq: Schema.Natural,
  }),
]).annotate({ identifier: "WebhookResend" })

export const Resent = Schema.Struct({
  queued: described(Schema.Natural, "Queued deliveries, at most 10,000 per request. Deliveries that were pending are not queued again"),
}).annotate({ identifier: "WebhookResent" })
