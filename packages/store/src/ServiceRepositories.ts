/** All repositories that belong to no game. The caller provides the database. */
import { Layer } from "effect"
import { Chores } from "./Chores.ts"
import { DatabaseProbe } from "./database/DatabaseProbe.ts"
import { Imports } from "./Imports.ts"
import { Accounts } from "./keys/Accounts.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { AuditLog } from "./keys/AuditLog.ts"
import { FeedTokens } from "./keys/FeedTokens.ts"
import { KeyRegister } from "./keys/KeyRegister.ts"
import { Checkpoints } from "./live/Checkpoints.ts"
import { FinishedMatches } from "./live/FinishedMatches.ts"
import { LogReachReports } from "./live/LogReachReports.ts"
import { Matches } from "./live/Matches.ts"
import { ParkedMatches } from "./live/ParkedMatches.ts"
import { TranscriptAnnouncements } from "./transcripts/TranscriptAnnouncements.ts"
import { TranscriptJobs } from "./transcripts/TranscriptJobs.ts"
import { TranscriptRequests } from "./transcripts/TranscriptRequests.ts"
import { TranscriptSignals } from "./transcripts/TranscriptSignals.ts"
import { KeyStreamCounts } from "./usage/KeyStreamCounts.ts"
import { UsageLedger } from "./usage/UsageLedger.ts"
import { WebhookDeliveries } from "./webhooks/WebhookDeliveries.ts"
import { WebhookEvents } from "./webhooks/WebhookEvents.ts"
import { WebhookSubscriptions } from "./webhooks/WebhookSubscriptions.ts"
import { WebhookWakeups } from "./webhooks/WebhookWakeups.ts"

/** Webhook repositories, which need `WebhookWakeups`. */
export const webhookRepositories = Layer.mergeAll(WebhookDeliveries.layer, WebhookEvents.layer, WebhookSubscriptions.layer)

export const transcriptRepositories = Layer.mergeAll(TranscriptAnnouncements.layer, TranscriptJobs.layer, TranscriptRequests.layer).pipe(
  Layer.provideMerge(TranscriptSignals.layer),
)

export class ServiceRepositories {
  /** Wakes the webhook workers of this process only. */
  static readonly layer = Layer.suspend(() => withWakeups(WebhookWakeups.layerLocal))

  /** Wakes the webhook workers of all processes that use the same PostgreSQL database. */
  static readonly layerPostgres = Layer.suspend(() => withWakeups(WebhookWakeups.layerPostgres))

  /** As `layerPostgres`, behind a pooler in transaction mode: workers of this process look for work at intervals. */
  static readonly layerPooled = Layer.suspend(() => withWakeups(WebhookWakeups.layerPooled))
}

const withWakeups = <R>(wakeups: Layer.Layer<WebhookWakeups, never, R>) =>
  Layer.mergeAll(
    ApiKeys.layer,
    AuditLog.layer,
    Checkpoints.layer,
    Chores.layer,
    DatabaseProbe.layer,
    FeedTokens.layer,
    FinishedMatches.layer,
    Imports.layer,
    KeyRegister.layer,
    KeyStreamCounts.layer,
    Matches.layer,
    LogReachReports.layer,
    ParkedMatches.layer,
    transcriptRepositories,
    UsageLedger.layer,
    webhookRepositories.pipe(Layer.provideMerge(wakeups)),
  ).pipe(Layer.provideMerge(Accounts.layer))
