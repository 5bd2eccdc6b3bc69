import { bodyText } from "@matchpoint/contracts/webhook/webhookEvents"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import type { AttemptReport, Claim, DeliveryResult, LaneResult, PendingDelivery } from "@matchpoint/store/webhooks/WebhookDeliveries"
import type { SecretBox } from "@matchpoint/webhooks/SecretBox"
import { verdictOf, warningAfter } from "@matchpoint/webhooks/schedule"
import { signatureHeaders } from "@matchpoint/webhooks/signatures"
import { Cause, Clock, Effect, Metric, Random, Redacted } from "effect"
import type { Pacer } from "./Pacer.ts"
import type { WebhookSettings } from "./WebhookConfig.ts"
import type { SendOutcome, WebhookSender } from "./WebhookSender.ts"

export const attemptsMade = Metric.counter("matchpoint_webhook_attempts_total", {
  description: "Attempts to deliver a webhook, by result: delivered, retry or disabled",
  incremental: true,
})
export const firstAttemptDelay = Metric.histogram("matchpoint_webhook_first_attempt_seconds", {
  description: "Time from storing an event to the end of the first attempt to deliver it, in seconds",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
})

export interface LaneTools {
  readonly secrets: SecretBox
  readonly sender: WebhookSender["Service"]
  readonly pacer: Pacer
  readonly settings: WebhookSettings
  readonly warn: (what: string) => Effect.Effect<void>
}

/** Wait of a lane after a problem that is not a failure of the receiver. */
const DEFECT_WAIT_MS = 60_000

/**
 * Sends the deliveries of a claimed lane in order, until one fails or `laneTimeMs` is over. If it is interrupted, the
 * attempt in progress ends and is not reported, so it is repeated later.
 */
export const deliverLane = Effect.fnUntraced(function* (claim: Claim, tools: LaneTools) {
  const claimedAt = yield* Clock.currentTimeMillis
  const monotonic = monotonicOf(yield* Clock.Clock)
  const begunAt = monotonic()
  const { lane, subscriptionId } = claim
  const results: Array<DeliveryResult> = []
  const resultOf = (changes: Partial<LaneResult>): LaneResult => ({
    subscriptionId,
    lane,
    holder: claim.holder,
    activations: claim.activations,
    results,
    failures: 0,
    // A lane that is not empty keeps its place among the others.
    dueAt: claim.dueAt,
    error: null,
    disable: null,
    ...changes,
  })
  const secrets = secretsOf(claim, tools.secrets)
  if (secrets === undefined) {
    yield* tools.warn("the secret cannot be decrypted: configure the key that encrypted it")
    return resultOf({ failures: claim.failures, dueAt: claimedAt + DEFECT_WAIT_MS })
  }
  if (claim.deliveries.length === 0) return resultOf({ failures: claim.failures, dueAt: claimedAt + DEFECT_WAIT_MS })
  const { retryDelaysMs } = tools.settings
  let { failures } = claim
  for (const delivery of claim.deliveries) {
    // biome-ignore lint/plugin: the start becomes a due time in the database
    const now = yield* Clock.currentTimeMillis
    if (monotonic() - begunAt > tools.settings.laneTimeMs) break
    const mayStartAt = tools.pacer.reserve(subscriptionId, claim.maxPerSecond, now)
    // The lane does not wait in the worker, where it would take the place of others.
    if (mayStartAt > now) return resultOf({ failures, dueAt: mayStartAt })
    const outcome = yield* Effect.interruptible(attempt(claim, delivery, secrets, tools)).pipe(Effect.exit)
    if (outcome._tag === "Failure") {
      if (Cause.hasInterruptsOnly(outcome.cause)) return resultOf({ failures })
      yield* Effect.logError(`webhook ${subscriptionId}: cannot send ${delivery.eventId}`, outcome.cause)
      return resultOf({ failures, dueAt: claimedAt + DEFECT_WAIT_MS })
    }
    const { at, endedAt, sent } = outcome.value
    const status = sent._tag === "Answered" ? sent.status : undefined
    const retryAfterSeconds = sent._tag === "Answered" ? sent.retryAfterSeconds : undefined
    const verdict = verdictOf({ status, retryAfterSeconds }, failures, endedAt, yield* Random.next, retryDelaysMs)
    yield* Metric.update(Metric.withAttributes(attemptsMade, { result: labels[verdict._tag] }), 1)
    if (delivery.attempt === 1) yield* Metric.update(firstAttemptDelay, (endedAt - delivery.writtenAt) / 1000)
    const report = reportOf(sent, delivery.attempt, at)
    const { deliveryId } = delivery
    if (verdict._tag === "Delivered") {
      results.push({ deliveryId, status: "delivered", report })
      failures = 0
      continue
    }
    const error = report.error ?? `the receiver answered ${report.status}`
    if (verdict._tag === "Retry") {
      if (verdict.failures === warningAfter(retryDelaysMs)) yield* tools.warn(`${verdict.failures} attempts failed: ${error}`)
      results.push({ deliveryId, status: "pending", report })
      return resultOf({ failures: verdict.failures, dueAt: verdict.dueAt, error })
    }
    yield* tools.warn(`disabled: ${error}`)
    results.push({ deliveryId, status: "failed", report })
    return resultOf({ dueAt: endedAt, error, disable: verdict.reason })
  }
  return resultOf({ failures })
})

const labels = { Delivered: "delivered", Retry: "retry", Disable: "disabled" } as const

const attempt = Effect.fnUntraced(function* (
  { url }: Claim,
  delivery: PendingDelivery,
  secrets: readonly [string, ...ReadonlyArray<string>],
  { sender }: LaneTools,
) {
  const at = yield* Clock.currentTimeMillis
  const body = bodyText(delivery.eventId, delivery.name, delivery.occurredAt, delivery.data)
  const timestampSeconds = Math.floor(at / 1000)
  const sent = yield* sender.send({
    url,
    body,
    headers: {
      "Content-Type": "application/json",
      "X-Svc-Event": delivery.name,
      "X-Svc-Event-Id": delivery.eventId,
      "X-Svc-Timestamp": String(timestampSeconds),
      "X-Svc-Delivery-Attempt": String(delivery.attempt),
      ...signatureHeaders({ id: delivery.eventId, timestampSeconds, body, secrets }),
    },
  })
  return { at, endedAt: yield* Clock.currentTimeMillis, sent }
})

const secretsOf = (
  { previousSecret, secret, subscriptionId }: Claim,
  box: SecretBox,
): readonly [string, ...ReadonlyArray<string>] | undefined => {
  const current = box.open(subscriptionId, secret)
  if (current === undefined) return undefined
  const previous = previousSecret === null ? undefined : box.open(subscriptionId, previousSecret)
  return previous === undefined ? [Redacted.value(current)] : [Redacted.value(current), Redacted.value(previous)]
}

const reportOf = (sent: SendOutcome, attempt: number, at: number): AttemptReport =>
  sent._tag === "Answered"
    ? { at, attempt, durationMs: sent.durationMs, status: sent.status, error: null, response: sent.excerpt }
    : { at, attempt, durationMs: sent.durationMs, status: null, error: sent.message, response: null }
