/**
 * Runs the whole product in one process: feeds, matches, gateway and web pages. Uses the embedded event log and
 * database unless the configuration specifies external servers.
 */

import { NodeHttpServer } from "@effect/platform-node"
import { QrThreadsConfig } from "@matchpoint/qr/QrThreadsConfig"
import { GatewayRoutes, GatewayServices, GatewayStreams } from "@matchpoint/service-gateway/Gateway"
import { GatewayConfig } from "@matchpoint/service-gateway/GatewayConfig"
import { routing } from "@matchpoint/service-gateway/http/literalPaths"
import { SlimServer } from "@matchpoint/service-gateway/http/slimContext"
import { StoredLedger } from "@matchpoint/service-gateway/metering/StoredLedger"
import { ApexArchiver } from "@matchpoint/service-match/apex/ApexArchiver"
import { apexLiveGame } from "@matchpoint/service-match/apex/apexLiveGame"
import { CodArchiver } from "@matchpoint/service-match/cod/CodArchiver"
import { codLiveGame } from "@matchpoint/service-match/cod/codLiveGame"
import { ArchiveUpkeep } from "@matchpoint/service-match/cs2/ArchiveUpkeep"
import { cs2LiveGame } from "@matchpoint/service-match/cs2/cs2LiveGame"
import { MatchArchiver } from "@matchpoint/service-match/cs2/MatchArchiver"
import { TournamentEvents } from "@matchpoint/service-match/cs2/TournamentEvents"
import { LostMatches } from "@matchpoint/service-match/LostMatches"
import { MatchCheckpoints } from "@matchpoint/service-match/MatchCheckpoints"
import { MatchSupervisor } from "@matchpoint/service-match/MatchSupervisor"
import { ParkedResults } from "@matchpoint/service-match/ParkedResults"
import { TennisArchiver } from "@matchpoint/service-match/tennis/TennisArchiver"
import { tennisLiveGame } from "@matchpoint/service-match/tennis/tennisLiveGame"
import { WebhookOutbox } from "@matchpoint/service-match/webhooks/WebhookOutbox"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { AdminListener, OperatorsOnMainPort } from "./adminListener.ts"
import { Banner } from "./Banner.ts"
import { DevKeys, devKey } from "./devKeys.ts"
import { FeedRoutes, OddsLayer, RpcFeedToken, SampleLayer, SimulationLayer, SimulationShown } from "./feeds.ts"
import { BusLayer, StoreLayer } from "./infrastructure.ts"
import { MeteringSettings, SharedRates } from "./metering.ts"
import { HealthRoutes } from "./operatorRoutes.ts"
import { LivePageRoutes } from "./pageLayer.ts"
import { SampleArchives } from "./SampleArchives.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"
import { TranscriptsLayer } from "./transcripts.ts"
import { WebhooksLayer } from "./webhooks.ts"

const ServerLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ port, host }) => UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" })),
)

const GatewaySettings = Layer.unwrap(
  Effect.gen(function* () {
    const { publicUrl, databaseUrl, behindProxy, handshakesPerSecond, answersKeptSeconds, unsentMegabytes } = yield* StandaloneConfig
    const defaults = yield* GatewayConfig
    return Layer.succeed(GatewayConfig, {
      ...defaults,
      publicUrl: Option.getOrNull(publicUrl),
      docsKey: Option.isNone(databaseUrl) ? devKey("pro") : null,
      behindProxy,
      handshakesPerSecond,
      answersKeptSeconds,
      maxUnsentBytes: unsentMegabytes * 1024 * 1024,
    })
  }),
)

const QrSettings = Layer.effect(
  QrThreadsConfig,
  Effect.map(StandaloneConfig, ({ qrQueue, qrThreads, qrTimeoutSeconds }) => ({
    threads: qrThreads,
    queue: qrQueue,
    timeoutSeconds: qrTimeoutSeconds,
  })),
)

const Routes = Layer.mergeAll(GatewayRoutes, OperatorsOnMainPort, FeedRoutes, LivePageRoutes, HealthRoutes)

/**
 * The streaming endpoints (WebSocket and SSE) start before the HTTP routes, so that stream clients can reconnect early.
 * Until the routes are ready, the connections of all other requests are closed without a response.
 */
const Http = HttpRouter.serve(Routes, routing).pipe(
  Layer.provide(SlimServer.pipe(Layer.provide(UwsHttpServer.layer()))),
  Layer.provideMerge(GatewayStreams),
)

const games = [apexLiveGame, codLiveGame, cs2LiveGame, tennisLiveGame]

const LostLayer = LostMatches.layer(games).pipe(Layer.provide(MatchCheckpoints.layer))

const Matches = Layer.mergeAll(
  MatchSupervisor.layer(games),
  ParkedResults.layer(games),
  ApexArchiver.layer,
  CodArchiver.layer,
  MatchArchiver.layer,
  TennisArchiver.layer,
  TournamentEvents.layer,
).pipe(Layer.provide([LostLayer, WebhookOutbox.layer]), Layer.provide(MatchCheckpoints.layer))

/**
 * Writes the sample archives in the background once the server answers. The upkeep of the archive starts afterwards,
 * because its jobs would not run again for minutes after they have found an empty archive.
 */
const SampleWriting = Layer.effectDiscard(
  Effect.gen(function* () {
    const { write } = yield* SampleArchives
    yield* Effect.forkScoped(Effect.andThen(write, Layer.launch(ArchiveUpkeep.layer)))
  }),
)

/**
 * Runs the server until its scope closes. Then, socket clients are asked to reconnect and matches save their
 * checkpoints. The log and the database close last.
 */
export const Standalone = SampleWriting.pipe(
  Layer.provideMerge(Banner),
  Layer.provideMerge(Http),
  Layer.merge(AdminListener),
  Layer.provide(SimulationShown),
  Layer.provide(GatewayServices),
  Layer.provide([StoredLedger, SharedRates]),
  Layer.provide(OddsLayer),
  Layer.provide([Matches, TranscriptsLayer, WebhooksLayer]),
  Layer.provide([GatewaySettings, MeteringSettings, QrSettings, RpcFeedToken, DevKeys]),
  Layer.provideMerge(ServerLayer),
  // Matches that finish must not make an archive non-empty before this layer has found it empty. The live matches are
  // registered before the sample archives are written, so that their numbers start at 1001.
  Layer.provide(SampleLayer),
  // A simulated match that is registered, but has no facts yet, must not be taken for a lost one.
  Layer.provideMerge(SimulationLayer.pipe(Layer.provide(LostLayer))),
  Layer.provide(BusLayer),
  Layer.provide(StoreLayer),
  Layer.provide(NodeHttpServer.layerHttpServices),
)
