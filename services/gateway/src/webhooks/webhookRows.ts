import type { NewWebhook, Webhook, WebhookChange, WebhookDelivery } from "@matchpoint/contracts/http/webhooks/webhookModels"
import { MatchId } from "@matchpoint/domain/ids"
import type { StoredDelivery } from "@matchpoint/store/webhooks/deliveryRows"
import type { StoredSubscription, SubscriptionSettings } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { Schema } from "effect"

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
const isMatchId = Schema.is(MatchId)

/** `now` is in epoch ms. */
export const webhookRow = (stored: StoredSubscription, now: number): Webhook => ({
  id: stored.subscriptionId,
  url: stored.url,
  events: stored.events,
  description: stored.description,
  filters: { games: gamesOf(stored), match_ids: stored.matchIds, team_ids: stored.teamIds, player_ids: stored.playerIds },
  max_per_second: stored.maxPerSecond,
  status: stored.status,
  status_reason: stored.statusReason,
  warning:
    stored.failingSince === null
      ? null
      : { failing_since: iso(stored.failingSince), failed_attempts: stored.failedAttempts, last_error: stored.lastError ?? "" },
  pending: stored.pending,
  previous_secret_valid_until: isoOrNull((stored.previousSecretUntil ?? 0) > now ? stored.previousSecretUntil : null),
  created_at: iso(stored.createdAt),
  updated_at: iso(stored.changedAt),
})

// Only names of games that the API accepts are ever stored.
const gamesOf = ({ games }: StoredSubscription) => games as Webhook["filters"]["games"]

export const deliveryRow = (stored: StoredDelivery): WebhookDelivery => ({
  id: stored.deliveryId,
  event_id: stored.eventId,
  event: stored.name,
  match_id: isMatchId(stored.lane) ? stored.lane : null,
  epoch: stored.epoch,
  seq: stored.seq,
  trace: {
    fact_id: stored.factId,
    fact_received_at: isoOrNull(stored.factReceivedAt),
    stored_at: isoOrNull(stored.storedAt),
  },
  status: stored.status,
  attempts: stored.attempts.map(({ at, attempt, durationMs, error, response, status }) => ({
    at: iso(at),
    attempt,
    duration_ms: durationMs,
    status,
    error,
    response,
  })),
  next_attempt_at: isoOrNull(stored.nextAttemptAt),
  created_at: iso(stored.createdAt),
  finished_at: isoOrNull(stored.finishedAt),
})

type Filters = NonNullable<NewWebhook["filters"]>

const filterColumns = ({ games = [], match_ids = [], player_ids = [], team_ids = [] }: Filters) => ({
  games,
  matchIds: match_ids,
  playerIds: player_ids,
  teamIds: team_ids,
})

/** `url` is the checked URL. */
export const settingsOf = (wanted: NewWebhook, url: string): SubscriptionSettings => ({
  url,
  description: wanted.description ?? "",
  events: wanted.events,
  maxPerSecond: wanted.max_per_second ?? null,
  ...filterColumns(wanted.filters ?? {}),
})

/** `url` is the checked new URL, or undefined if it does not change. */
export const changedSettings = (stored: StoredSubscription, change: WebhookChange, url: string | undefined): SubscriptionSettings => ({
  url: url ?? stored.url,
  description: change.description ?? stored.description,
  events: change.events ?? stored.events,
  maxPerSecond: change.max_per_second === undefined ? stored.maxPerSecond : change.max_per_second,
  games: stored.games,
  matchIds: stored.matchIds,
  teamIds: stored.teamIds,
  playerIds: stored.playerIds,
  ...(change.filters === undefined ? {} : filterColumns(change.filters)),
})
