import { RETRY_DELAYS_MS } from "@matchpoint/webhooks/schedule"
import { Context, Duration } from "effect"

export interface WebhookSettings {
  /** Lanes (subscription and match) at the same time. */
  readonly lanes: number
  /** Claimed with one statement. */
  readonly lanesAtOnce: number
  /** At the same time: the concurrency of the receiver. */
  readonly lanesPerSubscription: number
  /** At the same time, so that no account fills the worker. */
  readonly lanesPerAccount: number
  /** Per claim of a lane. */
  readonly deliveriesPerLane: number
  /** How long a claim is valid. Must exceed `laneTimeMs` plus the timeout of an attempt. */
  readonly leaseMs: number
  /**
   * No delivery of a lane starts later than this after the claim. Until then, the lane uses the URL and the secrets
   * that the webhook had at the claim.
   */
  readonly laneTimeMs: number
  /** Stored with one statement. */
  readonly resultsAtOnce: number
  /** How long results wait for others with which they are stored. */
  readonly gatherResults: Duration.Duration
  /** Longest time between two queries for work, if a wakeup was lost. */
  readonly lookEveryMs: number
  /** Shortest time between two queries that no wakeup caused. */
  readonly lookAtMostEveryMs: number
  /** Before each retry. */
  readonly retryDelaysMs: ReadonlyArray<number>
  readonly retryDatabaseAfter: Duration.Duration
  /** For storing the last results of a worker that stops. */
  readonly shutdownTimeout: Duration.Duration
  /** Of events and deliveries. */
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
