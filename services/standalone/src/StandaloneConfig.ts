/**
 * Settings of the standalone process, from environment variables. The only place that reads them; every one has a default that
 * works on a bare machine.
 */
import { Config, ConfigProvider, Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { LogLevelName } from "./logging/LogOutput.ts"
import { MAX_SIMULATED_MATCHES, type Setting, settings } from "./settings/catalog.ts"
import { InvalidSettings } from "./settings/InvalidSettings.ts"
import { unknownNames } from "./settings/unknownNames.ts"
import { address, flag, secretAddress, token, wholeNumber } from "./settings/values.ts"

export interface StandaloneSettings {
  readonly port: number
  /** Address to listen on. The default is this machine only: the development keys are known to everyone. */
  readonly host: string
  /** Port of the admin API and `/metrics`, which the main port then does not serve. None: they are on the main port. */
  readonly adminPort: Option.Option<number>
  /** Address for `adminPort`. */
  readonly adminHost: string
  /** Where customers reach us, told in answers. */
  readonly publicUrl: Option.Option<string>
  /** Embedded database and log live here. */
  readonly dataDirectory: string
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl: Option.Option<Redacted.Redacted<string>>
  /** NATS with JetStream instead of the embedded log. */
  readonly natsUrl: Option.Option<string>
  /** Default: 4, and none on a PostgreSQL database. */
  readonly simulatedMatches: number
  /** 1 is real time; `max` as fast as it goes. */
  readonly simulationSpeed: number | "max"
  /** Clients come through a proxy that sets `x-forwarded-for`. */
  readonly behindProxy: boolean
  /** Live connections one address may open per second. */
  readonly handshakesPerSecond: number
  /** Megabytes that may wait for all clients of streams together. */
  readonly unsentMegabytes: number
  /** For how long an answer of the archive is given again; 0: every one is computed. */
  readonly answersKeptSeconds: number
  /** Token of feeds; standalone on the embedded database has a known one. */
  readonly feedToken: Option.Option<Redacted.Redacted<string>>
  /** Token of the admin API; standalone on the embedded database has a known one. */
  readonly adminToken: Option.Option<Redacted.Redacted<string>>
  /** `off`: nothing is counted or limited. For private installations. */
  readonly metering: "on" | "off"
  /** Format of the log. */
  readonly log: "text" | "json"
  /** Less severe lines are left out. */
  readonly logLevel: LogLevelName
  /** Redis for the rates of keys that several gateways share. */
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
  databaseUrl: Config.option(secretAddress("DATABASE_URL", ["postgres:", "postgresql:"])),
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
  metering: Config.Literals(["on", "off"], "MATCHPOINT_METERING").pipe(Config.withDefault("on")),
  log: Config.Literals(["text", "json"], "MATCHPOINT_LOG").pipe(Config.withDefault("text")),
  logLevel: Config.Literals(["trace", "debug", "info", "warning", "error"], "MATCHPOINT_LOG_LEVEL").pipe(Config.withDefault("info")),
  redisUrl: Config.option(secretAddress("REDIS_URL", ["redis:", "rediss:"])),
}

/** Settings of other commands and of the tests, which may be in the same environment. */
const ofOthers = ["MATCHPOINT_DATA", "MATCHPOINT_KEY"]

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
  /** Names of the environment variables, each a setting. */
  static readonly names: ReadonlyArray<string> = Object.values(settings).map(({ name }) => name)

  /** Fails with every problem there is. */
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
        // On a database of its own there is real data: nothing is invented beside it unasked.
        simulatedMatches: Option.getOrElse(simulatedMatches, () => (Option.isSome(values.databaseUrl) ? 0 : DEFAULT_SIMULATED_MATCHES)),
      }
    }),
  )
}
