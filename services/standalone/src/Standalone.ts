/** The whole product in one process, with the embedded log and database unless the settings name servers. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { SampleArchives } from "@matchpoint/game/sample/SampleArchives"
import { Upkeep } from "@matchpoint/games/archiveWriters"
import { RecordedOdds } from "@matchpoint/games/odds"
import { Drain } from "@matchpoint/process/Drain"
import { Health } from "@matchpoint/process/health/Health"
import { StartListener } from "@matchpoint/process/StartListener"
import { GatewayServices } from "@matchpoint/service-gateway/Gateway"
import { ArchiveNotice } from "@matchpoint/service-gateway/http/responses/ArchiveNotice"
import { StoredLedger } from "@matchpoint/service-gateway/metering/StoredLedger"
import { gatewayChecks } from "@matchpoint/service-gateway/process/gatewayHealth"
import { gatewayHttp } from "@matchpoint/service-gateway/process/gatewayHttp"
import { GatewayOperatorConfig, GatewaySettings } from "@matchpoint/service-gateway/process/gatewaySettings"
import { AdminListener } from "@matchpoint/service-gateway/process/operators"
import { SharedRates } from "@matchpoint/service-gateway/process/SharedRates"
import { SharedStreamCounts } from "@matchpoint/service-gateway/process/SharedStreamCounts"
import { AllMatches, LostLayer } from "@matchpoint/service-match/matchLayers"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { Banner } from "./Banner.ts"
import { DevKeys, devAdminToken, devKey } from "./devKeys.ts"
import { FeedRoutes, RpcFeedToken, SampleLayer, SimulationLayer, SimulationShown } from "./feeds.ts"
import { diskCheck } from "./health/diskCheck.ts"
import { BusLayer, StoreLayer } from "./infrastructure.ts"
import { LivePageRoutes } from "./pageLayer.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"
import { sampleNotice } from "./sampleNotice.ts"
import { TranscriptsLayer } from "./transcripts.ts"
import { WebhooksLayer } from "./webhooks.ts"

const ServerLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ port, host }) => UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" })),
)

/** With the embedded database, the public development keys and tokens are the defaults. */
const Operator = Layer.effect(
  GatewayOperatorConfig,
  Effect.map(StandaloneConfig, (settings) =>
    Option.isSome(settings.databaseUrl)
      ? { ...settings, docsKey: null }
      : {
          ...settings,
          docsKey: devKey("pro"),
          adminToken: Option.orElse(settings.adminToken, () => Option.some(Redacted.make(devAdminToken))),
        },
  ),
)

const checks = Effect.gen(function* () {
  return [...(yield* gatewayChecks), yield* diskCheck]
})

const Http = gatewayHttp(Layer.merge(FeedRoutes, LivePageRoutes))

/** The only gateway on an embedded database counts in memory. */
const StreamCounts = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl, redisUrl }) =>
    Option.isSome(databaseUrl) || Option.isSome(redisUrl) ? SharedStreamCounts : Layer.empty,
  ),
)

/**
 * Writes the sample archives in the background once the server answers. The upkeep of the archive starts afterwards,
 * because its jobs would not run again for minutes after they have found an empty archive.
 */
const SampleWriting = Layer.effectDiscard(
  Effect.gen(function* () {
    const { write } = yield* SampleArchives
    yield* Effect.forkScoped(Effect.andThen(write, Layer.launch(Upkeep)))
  }),
)

/** Responses from an incomplete sample archive state it. */
const SampleNotice = Layer.effect(
  ArchiveNotice,
  Effect.map(SampleArchives, ({ unfinished }) => sampleNotice(unfinished)),
)

const MatchLimits = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ unstartedDays }) => MatchConfig.layerWith({ unstartedAfter: Duration.days(unstartedDays) })),
)

/** Probes use the port of operators, if there is one. */
const Starting = Layer.unwrap(Effect.map(StandaloneConfig, StartListener.layer))

/**
 * At the end of the scope, socket clients are asked to reconnect and matches save their checkpoints. The log and the
 * database close last.
 */
export const Standalone = Drain.onStop.pipe(
  Layer.provideMerge(SampleWriting),
  Layer.provideMerge(Banner),
  Layer.provideMerge(Http.pipe(Layer.provide(SampleNotice))),
  Layer.merge(AdminListener),
  Layer.provide(Health.layer(checks)),
  Layer.provide(Drain.layer(0)),
  Layer.provide(SimulationShown),
  Layer.provide(GatewayServices),
  Layer.provide([StoredLedger, SharedRates, StreamCounts]),
  Layer.provide(RecordedOdds),
  Layer.provide([AllMatches.pipe(Layer.provide(MatchLimits)), TranscriptsLayer, WebhooksLayer]),
  Layer.provide([GatewaySettings.pipe(Layer.provideMerge(Operator)), RpcFeedToken, DevKeys]),
  Layer.provideMerge(ServerLayer),
  // Matches that finish must not make an archive non-empty before this layer has found it empty. The live matches are
  // registered before the sample archives are written, so that their numbers start at 1001.
  Layer.provide(SampleLayer),
  // A simulated match that is registered, but has no facts yet, must not be taken for a lost one.
  Layer.provideMerge(SimulationLayer.pipe(Layer.provide(LostLayer))),
  Layer.provide(BusLayer),
  Layer.provide(StoreLayer),
  Layer.provide(Starting),
  Layer.provide(NodeHttpServer.layerHttpServices),
)
