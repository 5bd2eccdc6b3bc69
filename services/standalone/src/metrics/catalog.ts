/**
 * Every metric of the process, by topic. `docs/operators/metrics.md` is generated from it, and a test compares it with the source
 * files.
 */
import { rejected, rejectionsDropped } from "@matchpoint/bus/Rejections"
import { matchesArchived } from "@matchpoint/game/live/archiveMetrics"
import { writesParked } from "@matchpoint/game/live/parking"
import { ledgerExchanges, ledgerFailures, ledgerUp } from "@matchpoint/metering/LedgerPump"
import { httpDuration, httpRequests } from "@matchpoint/process/http/HttpMetrics"
import * as own from "@matchpoint/process/metrics/processMetrics"
import { imagesDrawn, imagesRejected } from "@matchpoint/qr/QrThreads"
import { linesReceived } from "@matchpoint/service-feed/intake/feedLines"
import { factsTaken } from "@matchpoint/service-feed/intake/MatchSessions"
import * as hub from "@matchpoint/service-gateway/live/LiveHubLayer"
import { recordsUnreadable } from "@matchpoint/service-gateway/live/RecordIntake"
import * as live from "@matchpoint/service-gateway/process/liveMetrics"
import { replaysRunning } from "@matchpoint/service-gateway/replay/Replays"
import { followersOpen } from "@matchpoint/service-gateway/rpc/MatchFollowers"
import { deepResumesRefused } from "@matchpoint/service-gateway/stream/Backfill"
import { slowClients } from "@matchpoint/service-gateway/stream/LiveEndpoint"
import { socketsOpen } from "@matchpoint/service-gateway/stream/LiveSocket"
import { streamsOpen } from "@matchpoint/service-gateway/stream/LiveStream"
import { unsentBytes, unsentEnded } from "@matchpoint/service-gateway/stream/UnsentBytes"
import { eventsFolded, framesPublished, statesRepaired } from "@matchpoint/service-match/actor/MatchRun"
import { historiesLost } from "@matchpoint/service-match/actor/recover"
import { matchesRunning, matchRestarts } from "@matchpoint/service-match/MatchSupervisor"
import { parkedWrites } from "@matchpoint/service-match/ParkedResults"
import { partitionsOwned } from "@matchpoint/service-match/placement/PartitionHost"
import { eventsDropped, eventsWritten } from "@matchpoint/service-match/webhooks/EventWriter"
import { attemptSeconds, jobsRun } from "@matchpoint/service-transcripts/jobs/runJob"
import { jobsOpen, jobsRunning } from "@matchpoint/service-transcripts/jobs/TranscriptWorker"
import { attemptsMade, firstAttemptDelay } from "@matchpoint/service-webhooks/deliverLane"
import { lanesHeld } from "@matchpoint/service-webhooks/WebhookWorker"
import { workersReplaced } from "@matchpoint/store/database/EmbeddedEngine"
import * as store from "@matchpoint/store/database/storeMetrics"
import type { Metric } from "effect"

export interface Documented {
  readonly metric: Metric.Metric<never, unknown>
  readonly labels?: ReadonlyArray<string>
}

const plain = (...metrics: ReadonlyArray<Metric.Metric<never, unknown>>): ReadonlyArray<Documented> => metrics.map((metric) => ({ metric }))

export const catalog: ReadonlyArray<{ readonly title: string; readonly metrics: ReadonlyArray<Documented> }> = [
  {
    title: "Process",
    metrics: [
      { metric: own.buildInfo, labels: ["version", "node"] },
      { metric: own.cpuTime, labels: ["mode"] },
      ...plain(own.startTime, own.residentMemory, own.heapMemory, own.openFiles, own.loopUtilization),
      { metric: own.loopLag, labels: ["quantile"] },
    ],
  },
  {
    title: "HTTP",
    metrics: [
      { metric: httpRequests, labels: ["route", "method", "code"] },
      { metric: httpDuration, labels: ["route", "method"] },
    ],
  },
  {
    title: "Live channels",
    metrics: plain(
      socketsOpen,
      streamsOpen,
      followersOpen,
      replaysRunning,
      hub.roomsOpen,
      hub.partitionsRead,
      hub.framesReceived,
      recordsUnreadable,
      hub.flushWindow,
      hub.feedLatency,
      hub.foldLatency,
      hub.publishLatency,
      unsentBytes,
      unsentEnded,
      slowClients,
      deepResumesRefused,
    ),
  },
  { title: "QR codes", metrics: plain(imagesDrawn, imagesRejected) },
  { title: "Log", metrics: plain(live.logUp, live.logLag) },
  {
    title: "Feeds and matches",
    metrics: [
      ...plain(factsTaken, live.oldestFeed, live.newestFeed),
      { metric: linesReceived, labels: ["outcome", "rule"] },
      { metric: rejected, labels: ["code"] },
      ...plain(
        rejectionsDropped,
        matchesRunning,
        partitionsOwned,
        matchRestarts,
        eventsFolded,
        framesPublished,
        historiesLost,
        matchesArchived,
      ),
      { metric: statesRepaired, labels: ["what"] },
      ...plain(writesParked, parkedWrites),
    ],
  },
  {
    title: "Database",
    metrics: [
      ...plain(store.poolSize, store.operationsRunning, store.operationDuration),
      { metric: store.operationsFailed, labels: ["operation"] },
      ...plain(workersReplaced),
    ],
  },
  {
    title: "Webhooks",
    metrics: [...plain(eventsWritten, eventsDropped, lanesHeld, firstAttemptDelay), { metric: attemptsMade, labels: ["result"] }],
  },
  {
    title: "Transcripts",
    metrics: [...plain(jobsOpen, jobsRunning, attemptSeconds), { metric: jobsRun, labels: ["result"] }],
  },
  { title: "Usage ledger", metrics: plain(ledgerUp, ledgerExchanges, ledgerFailures) },
]
