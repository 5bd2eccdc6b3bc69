/** Settings of operators as environment variables, for the gateway process and the standalone process. */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import {
  adminSettings,
  limitSettings,
  listenSettings,
  publicSettings,
  qrSettings,
  redisSettings,
  tokenSettings,
  webhookSettings,
} from "@matchpoint/process/settings/catalog"
import type { SettingValues } from "@matchpoint/process/settings/readSettings"
import { QrThreadsConfig, usualThreads } from "@matchpoint/qr/QrThreadsConfig"
import { Config, Context, Effect, Layer, Option } from "effect"
import { AdminConfig } from "../admin/AdminConfig.ts"

export const gatewayParsers = {
  ...listenSettings,
  ...adminSettings,
  ...publicSettings,
  ...webhookSettings,
  webhookKeys: Config.option(webhookSettings.webhookKeys),
  ...limitSettings,
  adminToken: tokenSettings.adminToken,
  ...qrSettings,
  qrThreads: Config.withDefault(qrSettings.qrThreads, usualThreads()),
  ...redisSettings,
}

export interface GatewayOperatorSettings extends SettingValues<typeof gatewayParsers> {
  /** Public API key of requests that readers of `/docs` send from the page. */
  readonly docsKey: string | null
}

export class GatewayOperatorConfig extends Context.Service<GatewayOperatorConfig, GatewayOperatorSettings>()(
  "@matchpoint/service-gateway/process/gatewaySettings/GatewayOperatorConfig",
) {}

const Gateway = Layer.effect(
  GatewayConfig,
  Effect.gen(function* () {
    const { answersKeptSeconds, behindProxy, docsKey, handshakesPerSecond, ipv6Prefix, publicUrl, reads, unsentMegabytes } =
      yield* GatewayOperatorConfig
    return {
      ...(yield* GatewayConfig),
      publicUrl: Option.getOrNull(publicUrl),
      docsKey,
      behindProxy,
      ipv6Prefix,
      handshakesPerSecond,
      answersKeptSeconds,
      reads,
      maxUnsentBytes: unsentMegabytes * 1024 * 1024,
    }
  }),
)

const Qr = Layer.effect(
  QrThreadsConfig,
  Effect.map(GatewayOperatorConfig, ({ qrQueue, qrThreads, qrTimeoutSeconds }) => ({
    threads: qrThreads,
    queue: qrQueue,
    timeoutSeconds: qrTimeoutSeconds,
  })),
)

const Metering = Layer.effect(
  MeteringConfig,
  Effect.gen(function* () {
    const { metering } = yield* GatewayOperatorConfig
    return { ...(yield* MeteringConfig), enabled: metering === "on" }
  }),
)

/** Without a token, the admin API is off. */
const Admin = Layer.unwrap(
  Effect.map(GatewayOperatorConfig, ({ adminToken }) => AdminConfig.layer({ token: Option.getOrNull(adminToken) })),
)

/** Settings of the gateway's services, from those of the operator. */
export const GatewaySettings = Layer.mergeAll(Gateway, Qr, Metering, Admin)
