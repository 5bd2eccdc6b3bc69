/**
 * A webhook worker as a process of its own, on PostgreSQL alone: events and deliveries are rows, and the database wakes
 * the worker. Any number may run.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { Drain } from "@matchpoint/process/Drain"
import { databaseCheck } from "@matchpoint/process/health/databaseCheck"
import { Health } from "@matchpoint/process/health/Health"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { plainOperatorListener } from "@matchpoint/process/OperatorListener"
import { StartListener } from "@matchpoint/process/StartListener"
import { databaseSettings, logSettings, ownAdminSettings, webhookSettings } from "@matchpoint/process/settings/catalog"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { webhookAddresses } from "@matchpoint/process/webhookSettings"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Context, Effect, Layer } from "effect"
import { WebhookConfig } from "./WebhookConfig.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { WebhookSenderConfig } from "./WebhookSenderConfig.ts"
import { WebhookUpkeep } from "./WebhookUpkeep.ts"
import { WebhookWorker } from "./WebhookWorker.ts"

/** A worker without the key could not sign any delivery. */
const parsers = {
  ...ownAdminSettings,
  ...databaseSettings,
  ...logSettings,
  ...webhookSettings,
}

class WebhooksProcessConfig extends Context.Service<WebhooksProcessConfig, SettingValues<typeof parsers>>()(
  "@matchpoint/service-webhooks/WebhooksProcess/WebhooksProcessConfig",
) {
  static readonly layer = Layer.effect(WebhooksProcessConfig, readSettings(parsers))
}

const SenderSettings = Layer.effect(
  WebhookSenderConfig,
  Effect.gen(function* () {
    const settings = yield* WebhooksProcessConfig
    return { ...(yield* WebhookSenderConfig), ...(yield* webhookAddresses(settings)) }
  }),
)

/** A worker behind a pooler cannot listen, so it queries the work of other processes. */
const POOLED_LOOK_MS = 500

const WorkerSettings = Layer.effect(
  WebhookConfig,
  Effect.gen(function* () {
    const { databasePooler } = yield* WebhooksProcessConfig
    const defaults = yield* WebhookConfig
    return databasePooler === "none" ? defaults : { ...defaults, lookEveryMs: POOLED_LOOK_MS }
  }),
)

const Secrets = Layer.effect(
  WebhookSecrets,
  Effect.map(WebhooksProcessConfig, ({ webhookKeys }) => new SecretBox(webhookKeys)),
)

const Operators = Layer.unwrap(
  Effect.map(WebhooksProcessConfig, ({ adminHost, adminPort }) => plainOperatorListener({ host: adminHost, port: adminPort })),
).pipe(Layer.provide(Health.layer(Effect.map(databaseCheck, (check) => [check]))))

const Store = Layer.unwrap(Effect.map(WebhooksProcessConfig, postgresStore))
const Logging = Layer.unwrap(Effect.map(WebhooksProcessConfig, logOutput))
const Starting = Layer.unwrap(Effect.map(WebhooksProcessConfig, StartListener.layer))

/** At the end of the scope, the results of running deliveries are stored. */
export const WebhooksProcess = Drain.onStop.pipe(
  Layer.provideMerge(Layer.mergeAll(WebhookWorker.layer, WebhookUpkeep.layer, Operators)),
  Layer.provide(Drain.layer(0)),
  Layer.provide(WebhookSender.layer.pipe(Layer.provide([HostResolver.layer, SenderSettings]))),
  Layer.provide([Secrets, WorkerSettings]),
  Layer.provide(Store),
  Layer.provide(Starting),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(Logging),
  Layer.provide(WebhooksProcessConfig.layer),
)
