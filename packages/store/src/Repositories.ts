/**
 * Layers with all repositories of this package, for processes that serve the whole product. The caller provides the
 * database.
 */
import { Layer } from "effect"
import { ApexArchive } from "./apex/ApexArchive.ts"
import { ApexArchiveWriter } from "./apex/ApexArchiveWriter.ts"
import { SimulatedSeries } from "./apex/SimulatedSeries.ts"
import { ApexSummaries } from "./apex/summaries/ApexSummaries.ts"
import { Chores } from "./Chores.ts"
import { CodArchive } from "./cod/CodArchive.ts"
import { CodArchiveWriter } from "./cod/CodArchiveWriter.ts"
import { SimulatedSeasons } from "./cod/SimulatedSeasons.ts"
import { CodSummaries } from "./cod/summaries/CodSummaries.ts"
import { Archive } from "./cs2/Archive.ts"
import { ArchiveWriter } from "./cs2/ArchiveWriter.ts"
import { EventOutcomes } from "./cs2/events/EventOutcomes.ts"
import { EventPrizes } from "./cs2/events/EventPrizes.ts"
import { TournamentChanges } from "./cs2/events/TournamentChanges.ts"
import { OddsRecorder } from "./cs2/odds/OddsRecorder.ts"
import { RankingWriter } from "./cs2/rankings/RankingWriter.ts"
import { RosterDerivation } from "./cs2/rosters/RosterDerivation.ts"
import { StatsRefresh } from "./cs2/stats/StatsRefresh.ts"
import { SlugKeeper } from "./cs2/teams/SlugKeeper.ts"
import { TeamCorrections } from "./cs2/teams/TeamCorrections.ts"
import { ArchiveBacklog } from "./cs2/upkeep/ArchiveBacklog.ts"
import { ArchiveTables } from "./cs2/upkeep/ArchiveTables.ts"
import { Calendar } from "./cs2/upkeep/Calendar.ts"
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
import { TennisMatchRecords } from "./tennis/live/TennisMatchRecords.ts"
import { TennisProfiles } from "./tennis/live/TennisProfiles.ts"
import { SimulatedTours } from "./tennis/SimulatedTours.ts"
import { TennisSummaries } from "./tennis/summaries/TennisSummaries.ts"
import { TennisArchive } from "./tennis/TennisArchive.ts"
import { TennisArchiveWriter } from "./tennis/TennisArchiveWriter.ts"
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

/** Repositories of webhooks. They need `WebhookWakeups`. */
export const webhookRepositories = Layer.mergeAll(WebhookDeliveries.layer, WebhookEvents.layer, WebhookSubscriptions.layer)

export const transcriptRepositories = Layer.mergeAll(TranscriptAnnouncements.layer, TranscriptJobs.layer, TranscriptRequests.layer).pipe(
  Layer.provideMerge(TranscriptSignals.layer),
)

export class Repositories {
  /** Wakes the webhook workers of this process only. */
  static readonly layer = Layer.suspend(() => withWakeups(WebhookWakeups.layerLocal))

  /** Wakes the webhook workers of all processes that use the same PostgreSQL database. */
  static readonly layerPostgres = Layer.suspend(() => withWakeups(WebhookWakeups.layerPostgres))

  /** As `layerPostgres`, behind a pooler in transaction mode: workers of this process look for work at intervals. */
  static readonly layerPooled = Layer.suspend(() => withWakeups(WebhookWakeups.layerPooled))
}

const withWakeups = <R>(wakeups: Layer.Layer<WebhookWakeups, never, R>) =>
  Layer.mergeAll(
    ApexArchive.layer,
    ApexArchiveWriter.layer,
    ApexSummaries.layer,
    ApiKeys.layer,
    Archive.layer,
    ArchiveBacklog.layer,
    ArchiveTables.layer,
    ArchiveWriter.layer,
    AuditLog.layer,
    Calendar.layer,
    Checkpoints.layer,
    Chores.layer,
    CodArchive.layer,
    CodArchiveWriter.layer,
    CodSummaries.layer,
    DatabaseProbe.layer,
    EventOutcomes.layer,
    EventPrizes.layer,
    FeedTokens.layer,
    FinishedMatches.layer,
    Imports.layer,
    KeyRegister.layer,
    KeyStreamCounts.layer,
    Matches.layer,
    OddsRecorder.layer,
    LogReachReports.layer,
    ParkedMatches.layer,
    RankingWriter.layer,
    RosterDerivation.layer,
    SimulatedSeries.layer,
    SimulatedSeasons.layer,
    SimulatedTours.layer,
    SlugKeeper.layer,
    TeamCorrections.layer.pipe(Layer.provide([Chores.layer, StatsRefresh.layer])),
    TennisArchive.layer,
    TennisArchiveWriter.layer,
    TennisProfiles.layer,
    TennisMatchRecords.layer,
    TennisSummaries.layer,
    TournamentChanges.layer,
    transcriptRepositories,
    UsageLedger.layer,
    webhookRepositories.pipe(Layer.provideMerge(wakeups)),
  ).pipe(Layer.provideMerge(Accounts.layer))
