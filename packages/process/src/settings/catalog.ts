/**
 * Settings, in groups that processes read together. The source of `docs/operators/settings.md`, `.env.example`, the messages
 * about invalid values and the check of unknown names. Processes that require an optional setting, or have a default of
 * their own, say so where they read it.
 */
import { defaultBodyLimits } from "@matchpoint/uws/http/BodyBounds"
import { Config, Option } from "effect"
import { BYTES_PER_MEGABYTE } from "../http/bodyLimits.ts"
import { DEFAULT_IPV6_PREFIX } from "../http/clientAddress.ts"
import { type SettingText, setting } from "./Setting.ts"
import {
  address,
  flag,
  MIN_TOKEN_LENGTH,
  nat64Prefixes,
  networks,
  numberAboveZero,
  numberAboveZeroOrMax,
  numberBetween,
  oneOf,
  optional,
  port,
  secretAddress,
  secretAddresses,
  text,
  token,
  tokens,
  wholeNumber,
} from "./values.ts"

const HOST = text("a host name or an IP address")
const PEM = text("the path of a PEM file")

// A body of the largest permitted size, 1 MB, must fit.
const BODY_MEGABYTES = wholeNumber(2, 100_000)

const MAX_SIMULATED_MATCHES = 500

export const DEFAULT_TRANSCRIPT_THREADS = 2

export const listenSettings = {
  port: setting("PORT", port, {
    default: 8080,
    description: "Port of the API, the streams and the pages.",
  }),
  host: setting("HOST", HOST, {
    default: "127.0.0.1",
    description: "Address to listen on. Set 0.0.0.0 only with a database of your own: the development keys are public.",
    details: "quickstart.md",
  }),
}

export const publicSettings = {
  publicUrl: setting("MATCHPOINT_PUBLIC_URL", optional(address("https://api.example.com", ["http:", "https:"])), {
    description: "Address that customers use. It appears in answers.",
  }),
  behindProxy: setting("MATCHPOINT_BEHIND_PROXY", flag, {
    default: false,
    description: "Set true if clients connect through a proxy. Limits per address then use the last entry of x-forwarded-for.",
    details: "security.md",
  }),
  ipv6Prefix: setting("MATCHPOINT_IPV6_PREFIX", wholeNumber(16, 128), {
    default: DEFAULT_IPV6_PREFIX,
    description: "Bits of an IPv6 address that limits per address distinguish. One customer of a provider can use all addresses of a /64.",
    details: "security.md",
  }),
  bodiesMegabytes: setting("MATCHPOINT_BODIES_MB", BODY_MEGABYTES, {
    default: defaultBodyLimits.maxBytes / BYTES_PER_MEGABYTE,
    description: "Megabytes of request bodies that this process holds for requests without an answer. Beyond it, bodies get 413.",
    details: "security.md",
  }),
  bodiesMegabytesPerAddress: setting("MATCHPOINT_BODIES_MB_PER_ADDRESS", BODY_MEGABYTES, {
    default: defaultBodyLimits.maxBytesPerAddress / BYTES_PER_MEGABYTE,
    description: "Megabytes of such bodies for the requests of one address.",
    details: "security.md",
  }),
  bodiesMegabytesPerKey: setting("MATCHPOINT_BODIES_MB_PER_KEY", BODY_MEGABYTES, {
    default: defaultBodyLimits.maxBytesPerKey / BYTES_PER_MEGABYTE,
    description: "Megabytes of such bodies for the requests with one API key, and for those of the feeds of one match.",
    details: "security.md",
  }),
}

/** For a process that also has a main port, which operators use without a separate one. */
export const adminSettings = {
  adminPort: setting("MATCHPOINT_ADMIN_PORT", optional(port), {
    fallback: "the main port, or 9090 in match, webhooks and transcripts processes",
    description: "Separate port for health and /metrics, in gateways also the admin API. The main port then serves only health of these.",
    details: "admin.md#the-admin-token",
  }),
  adminHost: setting("MATCHPOINT_ADMIN_HOST", HOST, {
    default: "127.0.0.1",
    description: "Address of the admin port.",
  }),
}

/** For a process without a main port. */
export const ownAdminSettings = {
  ...adminSettings,
  adminPort: Config.map(
    adminSettings.adminPort,
    Option.getOrElse(() => 9090),
  ),
}

/** For a process behind a load balancer. */
export const drainSettings = {
  drainSeconds: setting("MATCHPOINT_DRAIN_SECONDS", wholeNumber(0, 300), {
    default: 3,
    fallback: "3 in gateway and feed processes",
    description: "Seconds for which a stopping gateway or feed process reports not ready and keeps serving.",
    details: "processes.md#stopping",
  }),
}

export const dataSettings = {
  dataDirectory: setting("MATCHPOINT_DATA_DIRECTORY", text("a directory"), {
    default: ".data",
    description: "Directory of the embedded database and log. Delete it to start from scratch.",
  }),
}

export const databaseSettings = {
  databaseUrl: setting("DATABASE_URL", secretAddress("postgres://user:password@host:5432/database", ["postgres:", "postgresql:"]), {
    description: "PostgreSQL 15 or later instead of the embedded database. Development keys and tokens do not exist there.",
  }),
  // Listening for webhook work occupies a connection, and others must remain.
  databaseConnections: setting("MATCHPOINT_DATABASE_CONNECTIONS", wholeNumber(2, 1_000), {
    default: 10,
    description: "Connections to PostgreSQL that this process opens at most.",
    details: "processes.md#postgresql",
  }),
  databasePooler: setting("MATCHPOINT_DATABASE_POOLER", oneOf("none", "transaction"), {
    default: "none",
    description: "Set transaction if DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer.",
    details: "processes.md#postgresql",
  }),
}

export const natsSettings = {
  natsUrl: setting("NATS_URL", secretAddresses("nats://localhost:4222", ["nats:", "tls:"]), {
    description: "NATS server 2.9 or later with JetStream instead of the embedded log. List the servers of a NATS cluster.",
    details: "processes.md#nats",
  }),
  natsCredentials: setting("NATS_CREDENTIALS", optional(text("the path of a .creds file")), {
    description: "File with the credentials for NATS. It is read again for each connection.",
    details: "processes.md#nats",
  }),
  natsCa: setting("NATS_CA", optional(PEM), {
    description: "Certificates of the authorities that sign the certificates of the NATS servers. Connections then use TLS.",
    details: "processes.md#nats",
  }),
  natsCert: setting("NATS_CERT", optional(PEM), {
    description: "Certificate with which this process identifies itself to NATS. NATS_KEY is its key.",
    details: "processes.md#nats",
  }),
  natsKey: setting("NATS_KEY", optional(PEM), {
    description: "Private key of NATS_CERT.",
  }),
  natsReplicas: setting("MATCHPOINT_NATS_REPLICAS", optional(wholeNumber(1, 5)), {
    fallback: "that of the streams, 1 for new ones",
    description: "Number of NATS servers that store each stream.",
    details: "processes.md#nats",
  }),
  logMegabytes: setting("MATCHPOINT_LOG_MEGABYTES", optional(wholeNumber(64, 1_000_000)), {
    fallback: "that of the streams, 512 for new ones",
    description:
      "Size in MB of each of the streams FEED and LIVE on NATS; ENTRIES gets an eighth of it. 300 for each 100 live matches keep 15 minutes.",
    details: "processes.md#nats",
  }),
}

export const redisSettings = {
  redisUrl: setting("REDIS_URL", optional(secretAddress("redis://localhost:6379", ["redis:", "rediss:"])), {
    description:
      "Redis server in which several gateways share the request rates of keys and their open connections. Without it each gateway limits rates in memory.",
    details: "admin.md#several-gateways-and-none-metered",
  }),
}

/** For a match process, which is a member of the cluster. */
export const clusterSettings = {
  clusterHost: setting("MATCHPOINT_CLUSTER_HOST", HOST, {
    default: "127.0.0.1",
    description:
      "Address of this match process, at which other match processes and the feed processes reach it. It must be unique together with the port. Requests to it are not authenticated: use a private network.",
  }),
  clusterPort: setting(
    "MATCHPOINT_CLUSTER_PORT",
    { ...wholeNumber(1, 65_535), expected: "a port, 1 to 65535" },
    {
      default: 9070,
      description: "Port on which this match process listens for other processes of the cluster.",
    },
  ),
}

export const tokenSettings = {
  adminToken: setting("MATCHPOINT_ADMIN_TOKEN", optional(token), {
    fallback: "mp_dev_admin on the embedded database",
    description: `Token of the admin API, ${MIN_TOKEN_LENGTH} characters or more. If it is not set, other databases have no admin API.`,
    details: "admin.md#the-admin-token",
  }),
  feedToken: setting("MATCHPOINT_FEED_TOKEN", token, {
    fallback: "mp_dev_feed on the embedded database",
    description: `Token of feeds, ${MIN_TOKEN_LENGTH} characters or more. If it is not set, other databases accept no feeds and answer 503.`,
    details: "../organisers/feeds.md#tokens",
  }),
}

export const matchSettings = {
  unstartedDays: setting("MATCHPOINT_UNSTARTED_DAYS", wholeNumber(1, 365), {
    default: 7,
    description: "Days after which a registered match that has not begun is cancelled.",
    details: "../organisers/feeds.md#a-match-that-never-begins",
  }),
}

export const webhookSettings = {
  webhookKeys: setting("MATCHPOINT_WEBHOOK_KEY", tokens, {
    fallback: "a random key in the data directory on the embedded database",
    description:
      "Key that encrypts the secrets of webhooks. If it is not set, other databases have no webhooks. To rotate it, put a new key first.",
    details: "webhooks.md",
  }),
  webhookNetworks: setting("MATCHPOINT_WEBHOOK_NETWORKS", optional(networks), {
    description:
      "Networks that webhooks may reach in addition to public addresses. The embedded database also allows loopback and plain http.",
    details: "webhooks.md",
  }),
  nat64Prefixes: setting("MATCHPOINT_NAT64_PREFIXES", optional(nat64Prefixes), {
    description:
      "Prefixes with which your network translates IPv6 to IPv4. Webhooks and transcripts may reach only public addresses through them.",
    details: "webhooks.md",
  }),
}

export const limitSettings = {
  metering: setting("MATCHPOINT_METERING", oneOf("on", "off"), {
    default: "on",
    description: "Set off to count and limit nothing, for private installations.",
    details: "../customers/metering.md#without-metering",
  }),
  handshakesPerSecond: setting("MATCHPOINT_HANDSHAKES_PER_SECOND", wholeNumber(1, 1_000_000), {
    default: 50,
    description: "Live connections that one address may open per second.",
  }),
  unsentMegabytes: setting("MATCHPOINT_UNSENT_MB", numberAboveZero, {
    default: 128,
    description: "Megabytes that may wait for all streaming clients together. Beyond it the slowest clients are closed.",
    details: "../customers/streams.md#reading-too-slowly",
  }),
  reads: setting("MATCHPOINT_GATEWAY_READS", oneOf("all", "followed"), {
    default: "all",
    description:
      "What a gateway reads of LIVE: the changes of all matches, or only those of the partitions that its clients follow. The other matches are then listed as they were up to a few seconds ago. For clusters with thousands of live matches.",
    details: "processes.md#gateways-that-read-what-their-clients-follow",
  }),
  answersKeptSeconds: setting("MATCHPOINT_ANSWERS_KEPT_SECONDS", wholeNumber(0, 86_400), {
    default: 10,
    description: "Seconds for which an answer of the archive is reused for the same request. 0 computes every answer.",
    details: "../games/cs2/archive.md#what-holds-everywhere",
  }),
}

export const qrSettings = {
  qrThreads: setting("MATCHPOINT_QR_THREADS", wholeNumber(1, 64), {
    fallback: "one less than the cores, 1 to 4",
    description: "Threads that draw QR codes. They start with the first requests.",
    details: "../customers/qr.md#operating",
  }),
  qrQueue: setting("MATCHPOINT_QR_QUEUE", wholeNumber(0, 10_000), {
    default: 64,
    description: "QR codes that may wait for a thread. Further requests are answered 503.",
    details: "../customers/qr.md#operating",
  }),
  qrTimeoutSeconds: setting("MATCHPOINT_QR_TIMEOUT_SECONDS", wholeNumber(1, 300), {
    default: 10,
    description: "Seconds that a QR code may take in its thread. Then the request is answered 503, and the thread is replaced.",
    details: "../customers/qr.md#operating",
  }),
}

export const transcriptSettings = {
  transcriptsWeights: setting("MATCHPOINT_TRANSCRIPTS_WEIGHTS", text("the path of a file"), {
    description: "File with the weights of the speech engine, in the format of whisper.cpp. If it is not set, there are no transcripts.",
    details: "transcripts-setup.md",
  }),
  transcriptsEngine: setting("MATCHPOINT_TRANSCRIPTS_ENGINE", oneOf("whisper-server", "whisper-node"), {
    default: "whisper-server",
    description: "Speech engine: the program whisper-server of whisper.cpp, or the npm package @fugood/whisper.node, which is slower.",
    details: "transcripts-setup.md#the-speech-engine",
  }),
  transcriptsThreads: setting("MATCHPOINT_TRANSCRIPTS_THREADS", wholeNumber(1, 64), {
    default: DEFAULT_TRANSCRIPT_THREADS,
    description: "Threads of the speech engine.",
    details: "transcripts-setup.md#sizing",
  }),
  transcriptsPath: setting("MATCHPOINT_TRANSCRIPTS_PATH", text("directories separated by colons"), {
    fallback: "the PATH of the server",
    description: "Directories in which yt-dlp, ffmpeg, ffprobe and whisper-server are searched.",
  }),
}

export const simulationSettings = {
  simulatedMatches: setting("MATCHPOINT_SIMULATED_MATCHES", optional(wholeNumber(0, MAX_SIMULATED_MATCHES)), {
    fallback: "4, or 0 if DATABASE_URL is set",
    description: `Number of simulated live matches of CS2, 0 to ${MAX_SIMULATED_MATCHES}. Tennis has as many, Call of Duty half as many, Apex a quarter.`,
  }),
  simulationSpeed: setting("MATCHPOINT_SIMULATION_SPEED", numberAboveZeroOrMax, {
    default: 1,
    description: "Speed of simulated matches: 1 is real time, max is as fast as possible.",
  }),
}

export const logSettings = {
  log: setting("MATCHPOINT_LOG", oneOf("text", "json"), {
    default: "text",
    description: "Format of the log. json writes one object per line.",
    details: "operations.md#the-log",
  }),
  logLevel: setting("MATCHPOINT_LOG_LEVEL", oneOf("trace", "debug", "info", "warning", "error"), {
    default: "info",
    description: "Less severe lines are not written.",
    details: "operations.md#the-log",
  }),
}

/** For a process through which facts pass. */
export const traceSettings = {
  tracesUrl: setting("MATCHPOINT_TRACES_URL", optional(address("http://localhost:4318/v1/traces", ["http:", "https:"])), {
    description: "Address of a collector to which gateway, feed and match processes send traces (OTLP over HTTP, JSON).",
    details: "processes.md#traces",
  }),
  tracesRatio: setting("MATCHPOINT_TRACES_RATIO", numberBetween(0, 1), {
    default: 0.01,
    description: "Share of HTTP requests that start a trace.",
    details: "processes.md#traces",
  }),
}

const network = { ...listenSettings, ...publicSettings, ...adminSettings, ...drainSettings }
const { databaseUrl, ...connections } = databaseSettings
const data = { ...dataSettings, databaseUrl, ...natsSettings, ...connections, ...redisSettings }
const access = { ...tokenSettings, ...matchSettings, ...webhookSettings, ...limitSettings }

/** In the order of the generated documents. */
export const settingGroups: ReadonlyArray<{ readonly title: string; readonly settings: ReadonlyArray<SettingText> }> = [
  { title: "Network", settings: Object.values(network) },
  { title: "Data", settings: Object.values(data) },
  { title: "Cluster", settings: Object.values(clusterSettings) },
  { title: "Access and limits", settings: Object.values(access) },
  { title: "QR codes", settings: Object.values(qrSettings) },
  { title: "Transcripts", settings: Object.values(transcriptSettings) },
  { title: "Simulation", settings: Object.values(simulationSettings) },
  { title: "Log", settings: Object.values(logSettings) },
  { title: "Traces", settings: Object.values(traceSettings) },
]

/** All settings, by the keys that processes use for the values. */
export const settings = {
  ...network,
  ...data,
  ...clusterSettings,
  ...access,
  ...qrSettings,
  ...transcriptSettings,
  ...simulationSettings,
  ...logSettings,
  ...traceSettings,
}
