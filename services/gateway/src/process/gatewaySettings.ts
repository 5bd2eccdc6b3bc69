/** Settings of operators as environment variables, for the gateway process and the standalone process. */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { listenParsers, optionalAdminParsers, publicParsers, webhookParsers } from "@matchpoint/process/settings/parsers"
import type { SettingValues } from "@matchpoint/process/settings/readSettings"
import { secretUrl, token, wholeNumber } from "@matchpoint/process/settings/values"
import { QrThreadsConfig, usualThreads } from "@matchpoint/qr/QrThreadsConfig"
import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { AdminConfig } from "../admin/AdminConfig.ts"

export const gatewayParsers = {
  ...listenParsers,
  ...optionalAdminParsers,
  ...publicParsers,
  ...webhookParsers,
  handshakesPerSecond: wholeNumber("MATCHPOINT_HANDSHAKES_PER_SECOND", 1, 1_000_000).pipe(Config.withDefault(50)),
  unsentMegabytes: Config.schema(Schema.FiniteFromString.check(Schema.isGreaterThan(0)), "MATCHPOINT_UNSENT_MB").pipe(
    Config.withDefault(128),
  ),
  answersKeptSeconds: wholeNumber("MATCHPOINT_ANSWERS_KEPT_SECONDS", 0, 86_400).pipe(Config.withDefault(10)),
  reads: Config.Literals(["all", "followed"], "MATCHPOINT_GATEWAY_READS").pipe(Config.withDefault("all" as const)),
  adminToken: Config.option(token("MATCHPOINT_ADMIN_TOKEN")),
  metering: Config.Literals(["on", "off"], "MATCHPOINT_METERING").pipe(Config.withDefault("on" as const)),
  qrThreads: wholeNumber("MATCHPOINT_QR_THREADS", 1, 64).pipe(Config.withDefault(usualThreads())),
  qrQueue: wholeNumber("MATCHPOINT_QR_QUEUE", 0, 10_000).pipe(Config.withDefault(64)),
  qrTimeoutSeconds: wholeNumber("MATCHPOINT_QR_TIMEOUT_SECONDS", 1, 300).pipe(Config.withDefault(10)),
  redisUrl: Config.option(secretUrl("REDIS_URL", ["redis:", "rediss:"])),
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
