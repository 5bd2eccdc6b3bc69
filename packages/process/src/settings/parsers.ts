/** Parsers of the settings that several processes have, with their defaults. The catalog documents them. */
import { defaultBodyLimits } from "@matchpoint/uws/http/BodyBounds"
import { Config, Schema } from "effect"
import { BYTES_PER_MEGABYTE } from "../http/bodyLimits.ts"
import { DEFAULT_IPV6_PREFIX } from "../http/clientAddress.ts"
import { MAX_SIMULATED_MATCHES } from "./catalog.ts"
import { address, addresses, flag, nat64Prefixes, networks, secretUrl, tokens, wholeNumber } from "./values.ts"

export const listenParsers = {
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
}

const adminHost = Config.NonEmptyString("MATCHPOINT_ADMIN_HOST").pipe(Config.withDefault("127.0.0.1"))

/** Settings of a process that also has a main port. Without a separate port, operators use the main port. */
export const optionalAdminParsers = { adminPort: Config.option(Config.Port("MATCHPOINT_ADMIN_PORT")), adminHost }

/** Default of `MATCHPOINT_ADMIN_PORT` in a process without a main port. */
const DEFAULT_ADMIN_PORT = 9090

/** Settings of a process without a main port. */
export const adminParsers = { adminPort: Config.Port("MATCHPOINT_ADMIN_PORT").pipe(Config.withDefault(DEFAULT_ADMIN_PORT)), adminHost }

// A body of the largest permitted size, 1 MB, must fit.
const megabytes = (name: string, defaultBytes: number) =>
  wholeNumber(name, 2, 100_000).pipe(Config.withDefault(defaultBytes / BYTES_PER_MEGABYTE))

export const publicParsers = {
  publicUrl: Config.option(address("MATCHPOINT_PUBLIC_URL", ["http:", "https:"])),
  behindProxy: flag("MATCHPOINT_BEHIND_PROXY").pipe(Config.withDefault(false)),
  ipv6Prefix: wholeNumber("MATCHPOINT_IPV6_PREFIX", 16, 128).pipe(Config.withDefault(DEFAULT_IPV6_PREFIX)),
  bodiesMegabytes: megabytes("MATCHPOINT_BODIES_MB", defaultBodyLimits.maxBytes),
  bodiesMegabytesPerAddress: megabytes("MATCHPOINT_BODIES_MB_PER_ADDRESS", defaultBodyLimits.maxBytesPerAddress),
  bodiesMegabytesPerKey: megabytes("MATCHPOINT_BODIES_MB_PER_KEY", defaultBodyLimits.maxBytesPerKey),
}

const databaseUrl = secretUrl("DATABASE_URL", ["postgres:", "postgresql:"])
const natsUrl = addresses("NATS_URL", ["nats:", "tls:"])

const natsOptions = {
  natsCredentials: Config.option(Config.NonEmptyString("NATS_CREDENTIALS")),
  natsCa: Config.option(Config.NonEmptyString("NATS_CA")),
  natsCert: Config.option(Config.NonEmptyString("NATS_CERT")),
  natsKey: Config.option(Config.NonEmptyString("NATS_KEY")),
  natsReplicas: Config.option(wholeNumber("MATCHPOINT_NATS_REPLICAS", 1, 5)),
  logMegabytes: Config.option(wholeNumber("MATCHPOINT_LOG_MEGABYTES", 64, 1_000_000)),
}

const databaseOptions = {
  // Listening for webhook work occupies a connection, and others must remain.
  databaseConnections: wholeNumber("MATCHPOINT_DATABASE_CONNECTIONS", 2, 1_000).pipe(Config.withDefault(10)),
  databasePooler: Config.Literals(["none", "transaction"], "MATCHPOINT_DATABASE_POOLER").pipe(Config.withDefault("none" as const)),
}

/** Settings of a process behind a load balancer. */
export const drainParsers = { drainSeconds: wholeNumber("MATCHPOINT_DRAIN_SECONDS", 0, 300).pipe(Config.withDefault(3)) }

/** Servers of the standalone process, which has embedded parts instead. */
export const optionalServerParsers = {
  databaseUrl: Config.option(databaseUrl),
  ...databaseOptions,
  natsUrl: Config.option(natsUrl),
  ...natsOptions,
}

/** Settings of a process that requires a PostgreSQL server. */
export const databaseParsers = { databaseUrl, ...databaseOptions }

/** Settings of a process that requires a NATS server. */
export const natsParsers = { natsUrl, ...natsOptions }

/** Settings of a match process, which is a member of the cluster. */
export const clusterParsers = {
  clusterHost: Config.NonEmptyString("MATCHPOINT_CLUSTER_HOST").pipe(Config.withDefault("127.0.0.1")),
  clusterPort: wholeNumber("MATCHPOINT_CLUSTER_PORT", 1, 65_535).pipe(Config.withDefault(9070)),
}

export const webhookParsers = {
  webhookKeys: Config.option(tokens("MATCHPOINT_WEBHOOK_KEY")),
  webhookNetworks: Config.option(networks("MATCHPOINT_WEBHOOK_NETWORKS")),
  nat64Prefixes: Config.option(nat64Prefixes("MATCHPOINT_NAT64_PREFIXES")),
}

const Speed = Config.Literals(["max"], "MATCHPOINT_SIMULATION_SPEED").pipe(
  Config.orElse(() => Config.schema(Schema.FiniteFromString.check(Schema.isGreaterThan(0)), "MATCHPOINT_SIMULATION_SPEED")),
)

/** Settings of a process that runs matches. */
export const matchParsers = { unstartedDays: wholeNumber("MATCHPOINT_UNSTARTED_DAYS", 1, 365).pipe(Config.withDefault(7)) }

export const simulationParsers = {
  simulatedMatches: Config.option(wholeNumber("MATCHPOINT_SIMULATED_MATCHES", 0, MAX_SIMULATED_MATCHES)),
  simulationSpeed: Speed.pipe(Config.withDefault(1)),
}

/** Settings of a process through which facts pass. */
export const tracingParsers = {
  tracesUrl: Config.option(address("MATCHPOINT_TRACES_URL", ["http:", "https:"])),
  tracesRatio: Config.schema(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })), "MATCHPOINT_TRACES_RATIO").pipe(
    Config.withDefault(0.01),
  ),
}

export const logParsers = {
  log: Config.Literals(["text", "json"], "MATCHPOINT_LOG").pipe(Config.withDefault("text" as const)),
  logLevel: Config.Literals(["trace", "debug", "info", "warning", "error"], "MATCHPOINT_LOG_LEVEL").pipe(
    Config.withDefault("info" as const),
  ),
}
