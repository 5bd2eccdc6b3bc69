/**
 * The intake as a process of its own: accepts facts over HTTP and passes them on to the match process that runs their
 * match, which stores them in FEED. Any number of feed processes may run, and a load balancer may spread the posts of
 * one match.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Rejections } from "@matchpoint/bus/Rejections"
import { clientLayer } from "@matchpoint/cluster/Cluster"
import { ProductPaths } from "@matchpoint/games/api/productPaths"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { Drain } from "@matchpoint/process/Drain"
import { databaseCheck } from "@matchpoint/process/health/databaseCheck"
import { Health } from "@matchpoint/process/health/Health"
import { logChecks } from "@matchpoint/process/health/logChecks"
import { bodyLimits } from "@matchpoint/process/http/bodyLimits"
import { routing } from "@matchpoint/process/http/literalPaths"
import { ServerRules } from "@matchpoint/process/http/ServerRules"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { plainOperatorListener } from "@matchpoint/process/OperatorListener"
import { HealthRoutes, MetricsRoutes } from "@matchpoint/process/operatorRoutes"
import { StartListener } from "@matchpoint/process/StartListener"
import { natsLog } from "@matchpoint/process/servers/natsLog"
import {
  adminSettings,
  databaseSettings,
  drainSettings,
  listenSettings,
  logSettings,
  natsSettings,
  publicSettings,
  tokenSettings,
  traceSettings,
} from "@matchpoint/process/settings/catalog"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { tracing } from "@matchpoint/process/tracing/tracing"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { forwardingRoutes } from "./intakeRoutes.ts"
import { feedSettings } from "./process/feedSettings.ts"

const parsers = {
  ...listenSettings,
  ...adminSettings,
  ...publicSettings,
  ...databaseSettings,
  ...drainSettings,
  ...natsSettings,
  ...logSettings,
  ...traceSettings,
  feedToken: tokenSettings.feedToken,
}

class FeedProcessConfig extends Context.Service<FeedProcessConfig, SettingValues<typeof parsers>>()(
  "@matchpoint/service-feed/FeedProcess/FeedProcessConfig",
) {
  static readonly layer = Layer.effect(FeedProcessConfig, readSettings(parsers))
}

const Intake = Layer.unwrap(
  Effect.map(FeedProcessConfig, (settings) => forwardingRoutes().pipe(Layer.provide(feedSettings(settings.feedToken, settings)))),
)

const Rules = ServerRules.pipe(Layer.provide(ProductPaths))

/** The routes are on the main port unless operators have a port of their own. */
const Routes = Layer.unwrap(
  Effect.map(FeedProcessConfig, ({ adminPort }) =>
    Layer.mergeAll(Intake, HealthRoutes, Rules, Option.isSome(adminPort) ? Layer.empty : MetricsRoutes),
  ),
)

const Operators = Layer.unwrap(
  Effect.map(FeedProcessConfig, ({ adminHost, adminPort }) =>
    Option.match(adminPort, { onNone: () => Layer.empty, onSome: (port) => plainOperatorListener({ host: adminHost, port }) }),
  ),
)

const Server = Layer.unwrap(
  Effect.map(FeedProcessConfig, ({ host, port }) => UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" })),
)

const checks = Effect.gen(function* () {
  const { bus, log } = yield* logChecks
  return [log, yield* databaseCheck, bus]
})

const Store = Layer.unwrap(Effect.map(FeedProcessConfig, postgresStore))
const Log = Rejections.layer.pipe(Layer.provideMerge(Layer.unwrap(Effect.map(FeedProcessConfig, natsLog))))
const Logging = Layer.unwrap(Effect.map(FeedProcessConfig, logOutput))
const Starting = Layer.unwrap(Effect.map(FeedProcessConfig, StartListener.layer))
const Tracing = Layer.unwrap(Effect.map(FeedProcessConfig, (settings) => tracing("feed", settings)))

const Cluster = Layer.unwrap(
  Effect.map(FeedProcessConfig, ({ databasePooler }) => clientLayer({ pooler: databasePooler === "transaction" })),
)

const Http = HttpRouter.serve(Routes, routing).pipe(
  Layer.provide(Layer.unwrap(Effect.map(FeedProcessConfig, (settings) => UwsHttpServer.layer({ bodies: bodyLimits(settings) })))),
  Layer.provide(Server),
)

const Draining = Layer.unwrap(Effect.map(FeedProcessConfig, ({ drainSeconds }) => Drain.layer(`${drainSeconds} seconds`)))

export const FeedProcess = Drain.onStop.pipe(
  Layer.provideMerge(Layer.merge(Http, Operators)),
  Layer.provide(Health.layer(checks)),
  Layer.provide([Cluster, Draining]),
  Layer.provide([Log, Store]),
  Layer.provide(Starting),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(Tracing),
  Layer.provide(Logging),
  Layer.provide(FeedProcessConfig.layer),
)
