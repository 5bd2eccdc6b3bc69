/**
 * Settings of the standalone process. This module is the only place that reads environment variables. Every setting has
 * a default that works on a new machine.
 */
import { usualThreads } from "@matchpoint/qr/QrThreadsConfig"
import { type OperatorSettings, transcriberConfigs } from "@matchpoint/service-transcripts/TranscriberConfig"
import { Config, ConfigProvider, Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { LogLevelName } from "./logging/LogOutput.ts"
import { MAX_SIMULATED_MATCHES, type Setting, settings } from "./settings/catalog.ts"
import { InvalidSettings } from "./settings/InvalidSettings.ts"
import { unknownNames } from "./settings/unknownNames.ts"
import { address, flag, networks, secretUrl, token, tokens, wholeNumber } from "./settings/values.ts"

export interface StandaloneSettings extends OperatorSettings {
  readonly port: number
  /**
   * Network address on which the server listens. The default accepts connections from this machine only, because the
   * development keys are public.
   */
  readonly host: string
  /** Separate port for the admin API and `/metrics`. If absent, they are served on the main port. */
  readonly adminPort: Option.Option<number>
  /** Network address on which the admin API and `/metrics` listen if they have a separate port (`adminPort`). */
  readonly adminHost: string
  /** Public base URL of the server, as it appears in responses. */
  readonly publicUrl: Option.Option<string>
  /** Data directory of the embedded database and the embedded log. */
  readonly dataDirectory: string
  /** URL of a PostgreSQL server to use instead of the embedded database. */
  readonly databaseUrl: Option.Option<Redacted.Redacted<string>>
  /** URL of a NATS server with JetStream to use instead of the embedded log. */
  readonly natsUrl: Option.Option<string>
  /** Number of simulated matches. The default is 4 with the embedded database and 0 with a PostgreSQL database. */
  readonly simulatedMatches: number
  /** Speed of the simulation as a multiple of real time, or `max` for as fast as possible. */
  readonly simulationSpeed: number | "max"
  /** True if clients connect through a proxy that sets `x-forwarded-for`. */
  readonly behindProxy: boolean
  /** Maximum number of live connections that one client address may open per second. */
  readonly handshakesPerSecond: number
  /** Maximum amount of unsent data buffered for all stream clients together, in megabytes. */
  readonly unsentMegabytes: number
  /** How long an archive response is cached, in seconds. If 0, every response is computed anew. */
  readonly answersKeptSeconds: number
  /**
   * Token with which feeds authenticate. With the embedded database, the default is the public development token; with
   * a PostgreSQL database, there is no default.
   */
  readonly feedToken: Option.Option<Redacted.Redacted<string>>
  /**
   * Token for the admin API. With the embedded database, the default is the public development token; with a PostgreSQL
   * database, there is no default.
   */
  readonly adminToken: Option.Option<Redacted.Redacted<string>>
  /** Keys that encrypt the secrets of webhooks, the current one first. */
  readonly webhookKeys: Option.Option<readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]>
  /** Networks that webhooks may reach in addition to public addresses, in CIDR notation, or `loopback`. */
  readonly webhookNetworks: Option.Option<ReadonlyArray<string>>
  /** Whether requests are counted and limited. `off` disables both, for private installations. */
  readonly metering: "on" | "off"
  /** Maximum number of threads that draw QR codes. */
  readonly qrThreads: number
  /** Maximum number of QR codes that wait for a thread. */
  readonly qrQueue: number
  /** Time limit of a QR code in its thread, in seconds. */
  readonly qrTimeoutSeconds: number
  /** Format of the log lines: text or JSON. */
  readonly log: "text" | "json"
  /** Lowest severity that is logged. */
  readonly logLevel: LogLevelName
  /** URL of a Redis server through which several gateways share the request rate limits of API keys. */
  readonly redisUrl: Option.Option<Redacted.Redacted<string>>
}

const Speed = Config.Literals(["max"], "MATCHPOINT_SIMULATION_SPEED").pipe(
  Config.orElse(() => Config.schema(Schema.FiniteFromString.check(Schema.isGreaterThan(0)), "MATCHPOINT_SIMULATION_SPEED")),
)

const DEFAULT_SIMULATED_MATCHES = 4

const configs = {
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  adminPort: Config.option(Config.Port("MATCHPOINT_ADMIN_PORT")),
  adminHost: Config.NonEmptyString("MATCHPOINT_ADMIN_HOST").pipe(Config.withDefault("127.0.0.1")),
  publicUrl: Config.option(address("MATCHPOINT_PUBLIC_URL", ["http:", "https:"])),
  dataDirectory: Config.NonEmptyString("MATCHPOINT_DATA_DIRECTORY").pipe(Config.withDefault(".data")),
  databaseUrl: Config.option(secretUrl("DATABASE_URL", ["postgres:", "postgresql:"])),
  natsUrl: Config.option(Config.NonEmptyString("NATS_URL")),
  simulatedMatches: Config.option(wholeNumber("MATCHPOINT_SIMULATED_MATCHES", 0, MAX_SIMULATED_MATCHES)),
  simulationSpeed: Speed.pipe(Config.withDefault(1)),
  behindProxy: flag("MATCHPOINT_BEHIND_PROXY").pipe(Config.withDefault(false)),
  handshakesPerSecond: wholeNumber("MATCHPOINT_HANDSHAKES_PER_SECOND", 1, 1_000_000).pipe(Config.withDefault(50)),
  unsentMegabytes: Config.schema(Schema.FiniteFromString.check(Schema.isGreaterThan(0)), "MATCHPOINT_UNSENT_MB").pipe(
    Config.withDefault(128),
  ),
  answersKeptSeconds: wholeNumber("MATCHPOINT_ANSWERS_KEPT_SECONDS", 0, 86_400).pipe(Config.withDefault(10)),
  feedToken: Config.option(token("MATCHPOINT_FEED_TOKEN")),
  adminToken: Config.option(token("MATCHPOINT_ADMIN_TOKEN")),
  webhookKeys: Config.option(tokens("MATCHPOINT_WEBHOOK_KEY")),
  webhookNetworks: Config.option(networks("MATCHPOINT_WEBHOOK_NETWORKS")),
  metering: Config.Literals(["on", "off"], "MATCHPOINT_METERING").pipe(Config.withDefault("on")),
  qrThreads: wholeNumber("MATCHPOINT_QR_THREADS", 1, 64).pipe(Config.withDefault(usualThreads())),
  qrQueue: wholeNumber("MATCHPOINT_QR_QUEUE", 0, 10_000).pipe(Config.withDefault(64)),
  qrTimeoutSeconds: wholeNumber("MATCHPOINT_QR_TIMEOUT_SECONDS", 1, 300).pipe(Config.withDefault(10)),
  log: Config.Literals(["text", "json"], "MATCHPOINT_LOG").pipe(Config.withDefault("text")),
  logLevel: Config.Literals(["trace", "debug", "info", "warning", "error"], "MATCHPOINT_LOG_LEVEL").pipe(Config.withDefault("info")),
  redisUrl: Config.option(secretUrl("REDIS_URL", ["redis:", "rediss:"])),
  ...transcriberConfigs,
}

/**
 * Environment variables of other commands and of the tests. They may be set in the same environment, so they are not
 * reported as unknown settings.
 */
const ofOthers = ["MATCHPOINT_DATA", "MATCHPOINT_KEY", "MATCHPOINT_WEBHOOK_SECRET"]

const invalidValues = Effect.fnUntraced(function* (provider: ConfigProvider.ConfigProvider) {
  const results = Object.entries(yield* Effect.all(configs, { mode: "result" }))
  const invalid = new Set(results.flatMap(([key, { _tag }]) => (_tag === "Failure" ? [key] : [])))
  const problems: Array<string> = []
  for (const [key, { expected, isSecret, name }] of Object.entries<Setting>(settings)) {
    if (!invalid.has(key)) continue
    const given = isSecret ? undefined : (yield* provider.load([name]))?.value
    problems.push(`${name} must be ${expected}${given === undefined ? "" : `, not ${JSON.stringify(given.slice(0, 100))}`}`)
  }
  return problems
})

export class StandaloneConfig extends Context.Service<StandaloneConfig, StandaloneSettings>()(
  "@matchpoint/service-standalone/StandaloneConfig",
) {
  /** Names of all environment variables that the server reads as settings. */
  static readonly names: ReadonlyArray<string> = Object.values(settings).map(({ name }) => name)

  /** Provides the settings. If any of them are invalid, fails with a single error that lists all problems. */
  static readonly layer = Layer.effect(
    StandaloneConfig,
    Effect.gen(function* () {
      const provider = yield* ConfigProvider.ConfigProvider
      const known = [...StandaloneConfig.names, ...ofOthers]
      const problems = [...(yield* invalidValues(provider)), ...(yield* unknownNames(provider, known))]
      if (problems.length > 0) return yield* new InvalidSettings({ problems })
      const { simulatedMatches, ...values } = yield* Config.all(configs)
      return {
        ...values,
        // Simulated matches are added to a PostgreSQL database only if they are configured, because such a database
        // contains real data.
        simulatedMatches: Option.getOrElse(simulatedMatches, () => (Option.isSome(values.databaseUrl) ? 0 : DEFAULT_SIMULATED_MATCHES)),
      }
    }),
  )
}
