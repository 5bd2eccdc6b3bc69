/**
 * Settings of the standalone process, from environment variables. The only place that reads them; every one has a default that
 * works on a bare machine.
 */
import { Config, Context, Layer, type Option, type Redacted, Schema } from "effect"

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
  /** Redis for the rates of keys that several gateways share. */
  readonly redisUrl: Option.Option<Redacted.Redacted<string>>
}

/** A shorter admin token could be guessed. */
const MIN_ADMIN_TOKEN_LENGTH = 16

const AdminToken = Config.schema(
  Schema.Redacted(
    Schema.String.check(
      Schema.isMinLength(MIN_ADMIN_TOKEN_LENGTH, {
        message: `MATCHPOINT_ADMIN_TOKEN must have ${MIN_ADMIN_TOKEN_LENGTH} characters or more; \`openssl rand -hex 24\` makes one`,
      }),
    ),
  ),
  "MATCHPOINT_ADMIN_TOKEN",
)

const Speed = Config.Literals(["max"], "MATCHPOINT_SIMULATION_SPEED").pipe(
  Config.orElse(() => Config.Finite("MATCHPOINT_SIMULATION_SPEED")),
  Config.withDefault(1),
)

export class StandaloneConfig extends Context.Service<StandaloneConfig, StandaloneSettings>()(
  "@matchpoint/service-standalone/StandaloneConfig",
) {
  static readonly layer = Layer.effect(
    StandaloneConfig,
    Config.all({
      port: Config.Port("PORT").pipe(Config.withDefault(8080)),
      host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
      adminPort: Config.option(Config.Port("MATCHPOINT_ADMIN_PORT")),
      adminHost: Config.NonEmptyString("MATCHPOINT_ADMIN_HOST").pipe(Config.withDefault("127.0.0.1")),
      publicUrl: Config.option(Config.NonEmptyString("MATCHPOINT_PUBLIC_URL")),
      dataDirectory: Config.NonEmptyString("MATCHPOINT_DATA_DIRECTORY").pipe(Config.withDefault(".data")),
      databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
      natsUrl: Config.option(Config.NonEmptyString("NATS_URL")),
      simulatedMatches: Config.Int("MATCHPOINT_SIMULATED_MATCHES").pipe(Config.withDefault(4)),
      simulationSpeed: Speed,
      behindProxy: Config.Boolean("MATCHPOINT_BEHIND_PROXY").pipe(Config.withDefault(false)),
      handshakesPerSecond: Config.Int("MATCHPOINT_HANDSHAKES_PER_SECOND").pipe(Config.withDefault(50)),
      unsentMegabytes: Config.schema(Schema.FiniteFromString.check(Schema.isGreaterThan(0)), "MATCHPOINT_UNSENT_MB").pipe(
        Config.withDefault(128),
      ),
      answersKeptSeconds: Config.Int("MATCHPOINT_ANSWERS_KEPT_SECONDS").pipe(Config.withDefault(10)),
      feedToken: Config.option(Config.Redacted("MATCHPOINT_FEED_TOKEN")),
      adminToken: Config.option(AdminToken),
      metering: Config.Literals(["on", "off"], "MATCHPOINT_METERING").pipe(Config.withDefault("on")),
      redisUrl: Config.option(Config.Redacted("REDIS_URL")),
    }),
  )
}
