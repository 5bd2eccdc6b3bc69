import { RETRY_DELAYS_MS } from "@matchpoint/webhooks/schedule"
import { Context, Duration } from "effect"

export interface WebhookSettings {
  /** Lanes (subscription and match) in work at the same time. */
  readonly lanes: number
  /** Lanes claimed with one statement. */
  readonly lanesAtOnce: number
  /** Lanes at the same time, which is the concurrency of the receiver. */
  readonly lanesPerSubscription: number
  /** Lanes at the same time, so that no account fills the worker. */
  readonly lanesPerAccount: number
  /** Deliveries per claim of a lane. */
  readonly deliveriesPerLane: number
  /** How long a claim is valid. Must exceed `laneTimeMs` plus the timeout of an attempt. */
  readonly leaseMs: number
  /**
   * No delivery of a lane starts later than this after the claim. Until then, the lane uses the URL and the secrets
   * that the webhook had at the claim.
   */
  readonly laneTimeMs: number
  /** Results stored with one statement. */
  readonly resultsAtOnce: number
  /** How long results wait for others with which they are stored. */
  readonly gatherResults: Duration.Duration
  /** Longest time between two queries for work, if a wakeup was lost. */
  readonly lookEveryMs: number
  /** Shortest time between two queries that no wakeup caused. */
  readonly lookAtMostEveryMs: number
  /** Delay before each retry. */
  readonly retryDelaysMs: ReadonlyArray<number>
  readonly retryDatabaseAfter: Duration.Duration
  /** How long a worker that stops tries to store its last results. */
  readonly shutdownTimeout: Duration.Duration
  /** How long events and deliveries are stored. */
  readonly keepFor: Duration.Duration
}

export class WebhookConfig extends Context.Reference<WebhookSettings>("@matchpoint/service-webhooks/WebhookConfig", {
  defaultValue: () => ({
    lanes: 256,
    lanesAtOnce: 64,
    lanesPerSubscription: 16,
    lanesPerAccount: 64,
    deliveriesPerLane: 50,
    leaseMs: 60_000,
    laneTimeMs: 5_000,
    resultsAtOnce: 64,
    gatherResults: Duration.millis(5),
    lookEveryMs: 5_000,
    lookAtMostEveryMs: 50,
    retryDelaysMs: RETRY_DELAYS_MS,
    retryDatabaseAfter: Duration.seconds(1),
    shutdownTimeout: Duration.seconds(2),
    keepFor: Duration.days(7),
  }),
}) {}
