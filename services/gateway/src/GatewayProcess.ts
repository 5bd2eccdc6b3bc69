/**
 * A gateway as a process of its own: the public API and the streams, on PostgreSQL, NATS and (optionally) Redis. Any
 * number may run. It accepts no facts of feeds (the feed process does) and serves no web pages except the
 * documentation.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { Drain } from "@matchpoint/process/Drain"
import { Health } from "@matchpoint/process/health/Health"
import { LogReach } from "@matchpoint/process/health/LogReach"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { StartListener } from "@matchpoint/process/StartListener"
import { natsLog } from "@matchpoint/process/servers/natsLog"
import {
  databaseSettings,
  drainSettings,
  logSettings,
  natsSettings,
  traceSettings,
  transcriptSettings,
} from "@matchpoint/process/settings/catalog"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { restartWhen } from "@matchpoint/process/supervision/restartWhen"
import { tracing } from "@matchpoint/process/tracing/tracing"
import { secretBoxOf, webhookAddresses } from "@matchpoint/process/webhookSettings"
import { TranscriptionStatus } from "@matchpoint/transcripts/TranscriptionStatus"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { UrlCheck } from "@matchpoint/webhooks/UrlCheck"
import { Config, Context, Effect, Layer, Option, Schedule } from "effect"
import { GatewayServices } from "./Gateway.ts"
import { StoredLedger } from "./metering/StoredLedger.ts"
import { gatewayChecks } from "./process/gatewayHealth.ts"
import { gatewayHttp } from "./process/gatewayHttp.ts"
import { GatewayOperatorConfig, GatewaySettings, gatewayParsers } from "./process/gatewaySettings.ts"
import { AdminListener } from "./process/operators.ts"
import { SharedRates } from "./process/SharedRates.ts"
import { SharedStreamCounts } from "./process/SharedStreamCounts.ts"

const parsers = {
  ...gatewayParsers,
  ...drainSettings,
  ...databaseSettings,
  ...natsSettings,
  ...logSettings,
  ...traceSettings,
  transcriptsWeights: Config.option(transcriptSettings.transcriptsWeights),
}

class GatewayProcessConfig extends Context.Service<GatewayProcessConfig, SettingValues<typeof parsers>>()(
  "@matchpoint/service-gateway/GatewayProcess/GatewayProcessConfig",
) {
  static readonly layer = Layer.effect(GatewayProcessConfig, readSettings(parsers))
}

const Operator = Layer.effect(
  GatewayOperatorConfig,
  Effect.map(GatewayProcessConfig, (settings) => ({ ...settings, docsKey: null })),
)

const serverLayer = (isPortShared: boolean) =>
  Layer.unwrap(
    Effect.map(GatewayProcessConfig, ({ host, port }) =>
      UwsServer.layer({ port, host, isPortShared, gracefulShutdownTimeout: "1 second" }),
    ),
  )

const Webhooks = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* GatewayProcessConfig
    return Layer.merge(
      Layer.succeed(WebhookSecrets, secretBoxOf(settings)),
      UrlCheck.layer(yield* webhookAddresses(settings)).pipe(Layer.provide(HostResolver.layer)),
    )
  }),
)

const Draining = Layer.unwrap(
  Effect.gen(function* () {
    const { drainSeconds } = yield* GatewayProcessConfig
    return Drain.layer(`${drainSeconds} seconds`, (yield* LogReach).isCutOff)
  }),
)

/** If the weights are set, the operator runs transcripts processes, which check the tools themselves. */
const Transcripts = Layer.unwrap(
  Effect.map(GatewayProcessConfig, ({ transcriptsWeights }) =>
    Option.isNone(transcriptsWeights) ? Layer.empty : Layer.succeed(TranscriptionStatus, { problem: Effect.succeed(null) }),
  ),
)

const Store = Layer.unwrap(Effect.map(GatewayProcessConfig, postgresStore))
const Log = Layer.unwrap(Effect.map(GatewayProcessConfig, natsLog))
const Logging = Layer.unwrap(Effect.map(GatewayProcessConfig, logOutput))
const Starting = Layer.unwrap(Effect.map(GatewayProcessConfig, StartListener.layer))
const Tracing = Layer.unwrap(Effect.map(GatewayProcessConfig, (settings) => tracing("gateway", settings)))

/** At the end of the scope it drains, and clients of streams are asked to reconnect. */
const serving = (isWorker: boolean) =>
  Drain.onStop.pipe(
    Layer.provideMerge(Layer.merge(gatewayHttp(Layer.empty), AdminListener)),
    Layer.provide(Health.layer(gatewayChecks)),
    Layer.provide(GatewayServices),
    Layer.provide([StoredLedger, SharedRates, SharedStreamCounts]),
    Layer.provide([GatewaySettings, Transcripts, Webhooks]),
    Layer.provide(Operator),
    Layer.provide([serverLayer(isWorker), Draining]),
    Layer.provideMerge(LogReach.layer("gateway")),
    Layer.provide([Log, Store]),
    Layer.provide(Starting),
  )

const CHECK_LOG_EVERY = "100 millis"

/** Completes when other gateways reach the log and this one does not. */
const cutOff = (services: Context.Context<LogReach>) =>
  Effect.sync(Context.get(services, LogReach).isCutOff).pipe(
    Effect.repeat({ until: (isCutOff) => isCutOff, schedule: Schedule.spaced(CHECK_LOG_EVERY) }),
    Effect.andThen(Effect.logWarning("this gateway does not reach the log, but others do; its clients go to them until it starts again")),
  )

/**
 * While the gateway is cut off from the log, it does not listen, so that its clients go to other gateways. `isWorker`
 * is true if other gateways of this machine share its port.
 */
export const gatewayProcess = ({ isWorker }: { readonly isWorker: boolean }) =>
  restartWhen(serving(isWorker), cutOff).pipe(
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(Tracing),
    Layer.provide(Logging),
    Layer.provide(GatewayProcessConfig.layer),
  )
