/**
 * Catalog of the settings: the name, default and effect of each. `docs/settings.md`, `.env.example` and the messages
 * about invalid values are generated from this catalog. `parsers.ts` and the services read the values and contain the
 * actual defaults.
 */
import { MIN_TOKEN_LENGTH } from "./values.ts"

export interface Setting {
  readonly name: string
  /** Description of a valid value, phrased to follow the words "must be". */
  readonly expected: string
  /** If true, the value of the setting is never printed. */
  readonly isSecret?: true
  /**
   * Default value of the setting, or a description in words if the default depends on other settings. Absent if the
   * setting has no default.
   */
  readonly fallback?: string
  /** What the setting does, in full sentences. */
  readonly description: string
  /** Page in docs/ that describes the setting in detail. */
  readonly details?: string
}

/** Maximum value of `MATCHPOINT_SIMULATED_MATCHES`. */
export const MAX_SIMULATED_MATCHES = 500

const TOKEN = `${MIN_TOKEN_LENGTH} characters or more; \`openssl rand -hex 24\` generates one`

const network = {
  port: {
    name: "PORT",
    expected: "a port, 0 to 65535",
    fallback: "8080",
    description: "Port of the API, the streams and the pages.",
  },
  host: {
    name: "HOST",
    expected: "a host name or an IP address",
    fallback: "127.0.0.1",
    description: "Address to listen on. Set 0.0.0.0 only with a database of your own: the development keys are public.",
    details: "quickstart-operate.md",
  },
  publicUrl: {
    name: "MATCHPOINT_PUBLIC_URL",
    expected: "an address such as https://api.example.com",
    description: "Address that customers use. It appears in answers.",
  },
  behindProxy: {
    name: "MATCHPOINT_BEHIND_PROXY",
    expected: "true or false",
    fallback: "false",
    description: "Set true if clients connect through a proxy. Limits per address then use the last entry of x-forwarded-for.",
    details: "security.md",
  },
  ipv6Prefix: {
    name: "MATCHPOINT_IPV6_PREFIX",
    expected: "a whole number from 16 to 128",
    fallback: "64",
    description: "Bits of an IPv6 address that limits per address distinguish. One customer of a provider can use all addresses of a /64.",
    details: "security.md",
  },
  bodiesMegabytes: {
    name: "MATCHPOINT_BODIES_MB",
    expected: "a whole number from 2 to 100000",
    fallback: "64",
    description: "Megabytes of request bodies that this process holds for requests without an answer. Beyond it, bodies get 413.",
    details: "security.md",
  },
  bodiesMegabytesPerAddress: {
    name: "MATCHPOINT_BODIES_MB_PER_ADDRESS",
    expected: "a whole number from 2 to 100000",
    fallback: "16",
    description: "Megabytes of such bodies for the requests of one address.",
    details: "security.md",
  },
  bodiesMegabytesPerKey: {
    name: "MATCHPOINT_BODIES_MB_PER_KEY",
    expected: "a whole number from 2 to 100000",
    fallback: "8",
    description: "Megabytes of such bodies for the requests with one API key, and for those of the feeds of one match.",
    details: "security.md",
  },
  adminPort: {
    name: "MATCHPOINT_ADMIN_PORT",
    expected: "a port, 0 to 65535",
    fallback: "the main port, or 9090 in match, webhooks and transcripts processes",
    description: "Separate port for health and /metrics, in gateways also the admin API. The main port then serves only health of these.",
    details: "admin.md#the-admin-token",
  },
  adminHost: {
    name: "MATCHPOINT_ADMIN_HOST",
    expected: "a host name or an IP address",
    fallback: "127.0.0.1",
    description: "Address of the admin port.",
  },
} satisfies Record<string, Setting>

const stopping = {
  drainSeconds: {
    name: "MATCHPOINT_DRAIN_SECONDS",
    expected: "a whole number from 0 to 300",
    fallback: "3 in gateway and feed processes",
    description: "Seconds for which a stopping gateway or feed process reports not ready and keeps serving.",
    details: "processes.md#stopping",
  },
} satisfies Record<string, Setting>

const data = {
  dataDirectory: {
    name: "MATCHPOINT_DATA_DIRECTORY",
    expected: "a directory",
    fallback: ".data",
    description: "Directory of the embedded database and log. Delete it to start from scratch.",
  },
  databaseUrl: {
    name: "DATABASE_URL",
    expected: "an address such as postgres://user:password@host:5432/database",
    isSecret: true,
    description: "PostgreSQL 15 or later instead of the embedded database. Development keys and tokens do not exist there.",
  },
  natsUrl: {
    name: "NATS_URL",
    expected: "an address such as nats://localhost:4222, or several separated by commas",
    isSecret: true,
    description: "NATS server 2.9 or later with JetStream instead of the embedded log. List the servers of a NATS cluster.",
    details: "processes.md#nats",
  },
  natsCredentials: {
    name: "NATS_CREDENTIALS",
    expected: "the path of a .creds file",
    description: "File with the credentials for NATS. It is read again for each connection.",
    details: "processes.md#nats",
  },
  natsCa: {
    name: "NATS_CA",
    expected: "the path of a PEM file",
    description: "Certificates of the authorities that sign the certificates of the NATS servers. Connections then use TLS.",
    details: "processes.md#nats",
  },
  natsCert: {
    name: "NATS_CERT",
    expected: "the path of a PEM file",
    description: "Certificate with which this process identifies itself to NATS. NATS_KEY is its key.",
    details: "processes.md#nats",
  },
  natsKey: {
    name: "NATS_KEY",
    expected: "the path of a PEM file",
    description: "Private key of NATS_CERT.",
  },
  natsReplicas: {
    name: "MATCHPOINT_NATS_REPLICAS",
    expected: "a whole number from 1 to 5",
    fallback: "that of the streams, 1 for new ones",
    description: "Number of NATS servers that store each stream.",
    details: "processes.md#nats",
  },
  logMegabytes: {
    name: "MATCHPOINT_LOG_MEGABYTES",
    expected: "a whole number from 64 to 1000000",
    fallback: "that of the streams, 512 for new ones",
    description:
      "Size in MB of each of the streams FEED and LIVE on NATS; ENTRIES gets an eighth of it. 300 for each 100 live matches keep 15 minutes.",
    details: "processes.md#nats",
  },
  databaseConnections: {
    name: "MATCHPOINT_DATABASE_CONNECTIONS",
    expected: "a whole number from 2 to 1000",
    fallback: "10",
    description: "Connections to PostgreSQL that this process opens at most.",
    details: "processes.md#postgresql",
  },
  databasePooler: {
    name: "MATCHPOINT_DATABASE_POOLER",
    expected: "none or transaction",
    fallback: "none",
    description: "Set transaction if DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer.",
    details: "processes.md#postgresql",
  },
  redisUrl: {
    name: "REDIS_URL",
    expected: "an address such as redis://localhost:6379",
    isSecret: true,
    description:
      "Redis server in which several gateways share the request rates of keys and their open connections. Without it each gateway limits rates in memory.",
    details: "admin.md#several-gateways-and-none-metered",
  },
} satisfies Record<string, Setting>

const cluster = {
  clusterHost: {
    name: "MATCHPOINT_CLUSTER_HOST",
    expected: "a host name or an IP address",
    fallback: "127.0.0.1",
    description:
      "Address of this match process, at which other match processes and the feed processes reach it. It must be unique together with the port. Requests to it are not authenticated: use a private network.",
  },
  clusterPort: {
    name: "MATCHPOINT_CLUSTER_PORT",
    expected: "a port, 1 to 65535",
    fallback: "9070",
    description: "Port on which this match process listens for other processes of the cluster.",
  },
} satisfies Record<string, Setting>

const access = {
  adminToken: {
    name: "MATCHPOINT_ADMIN_TOKEN",
    expected: TOKEN,
    isSecret: true,
    fallback: "mp_dev_admin on the embedded database",
    description: `Token of the admin API, ${MIN_TOKEN_LENGTH} characters or more. If it is not set, other databases have no admin API.`,
    details: "admin.md#the-admin-token",
  },
  feedToken: {
    name: "MATCHPOINT_FEED_TOKEN",
    expected: TOKEN,
    isSecret: true,
    fallback: "mp_dev_feed on the embedded database",
    description: `Token of feeds, ${MIN_TOKEN_LENGTH} characters or more. If it is not set, other databases accept no feeds and answer 503.`,
    details: "feeds.md#tokens",
  },
  unstartedDays: {
    name: "MATCHPOINT_UNSTARTED_DAYS",
    expected: "a whole number from 1 to 365",
    fallback: "7",
    description: "Days after which a registered match that has not begun is cancelled.",
    details: "feeds.md#a-match-that-never-begins",
  },
  webhookKeys: {
    name: "MATCHPOINT_WEBHOOK_KEY",
    expected: `${MIN_TOKEN_LENGTH} characters or more, or several such keys separated by commas`,
    isSecret: true,
    fallback: "a random key in the data directory on the embedded database",
    description:
      "Key that encrypts the secrets of webhooks. If it is not set, other databases have no webhooks. To rotate it, put a new key first.",
    details: "webhooks.md#operating-webhooks",
  },
  webhookNetworks: {
    name: "MATCHPOINT_WEBHOOK_NETWORKS",
    expected: "networks such as 10.1.0.0/16, or loopback, separated by commas",
    description:
      "Networks that webhooks may reach in addition to public addresses. The embedded database also allows loopback and plain http.",
    details: "webhooks.md#operating-webhooks",
  },
  nat64Prefixes: {
    name: "MATCHPOINT_NAT64_PREFIXES",
    expected: "prefixes such as 2001:db8:64::/96, of 32, 40, 48, 56, 64 or 96 bits, separated by commas",
    description:
      "Prefixes with which your network translates IPv6 to IPv4. Webhooks and transcripts may reach only public addresses through them.",
    details: "webhooks.md#operating-webhooks",
  },
  metering: {
    name: "MATCHPOINT_METERING",
    expected: "on or off",
    fallback: "on",
    description: "Set off to count and limit nothing, for private installations.",
    details: "metering.md#without-metering",
  },
  handshakesPerSecond: {
    name: "MATCHPOINT_HANDSHAKES_PER_SECOND",
    expected: "a whole number from 1 to 1000000",
    fallback: "50",
    description: "Live connections that one address may open per second.",
  },
  unsentMegabytes: {
    name: "MATCHPOINT_UNSENT_MB",
    expected: "a number above 0",
    fallback: "128",
    description: "Megabytes that may wait for all streaming clients together. Beyond it the slowest clients are closed.",
    details: "streams.md#reading-too-slowly",
  },
  reads: {
    name: "MATCHPOINT_GATEWAY_READS",
    expected: "all or followed",
    fallback: "all",
    description:
      "What a gateway reads of LIVE: the changes of all matches, or only those of the partitions that its clients follow. The other matches are then listed as they were up to a few seconds ago. For clusters with thousands of live matches.",
    details: "processes.md#gateways-that-read-what-their-clients-follow",
  },
  answersKeptSeconds: {
    name: "MATCHPOINT_ANSWERS_KEPT_SECONDS",
    expected: "a whole number from 0 to 86400",
    fallback: "10",
    description: "Seconds for which an answer of the archive is reused for the same request. 0 computes every answer.",
    details: "archive.md#what-holds-everywhere",
  },
} satisfies Record<string, Setting>

const images = {
  qrThreads: {
    name: "MATCHPOINT_QR_THREADS",
    expected: "a whole number from 1 to 64",
    fallback: "one less than the cores, 1 to 4",
    description: "Threads that draw QR codes. They start with the first requests.",
    details: "qr.md#operating",
  },
  qrQueue: {
    name: "MATCHPOINT_QR_QUEUE",
    expected: "a whole number from 0 to 10000",
    fallback: "64",
    description: "QR codes that may wait for a thread. Further requests are answered 503.",
    details: "qr.md#operating",
  },
  qrTimeoutSeconds: {
    name: "MATCHPOINT_QR_TIMEOUT_SECONDS",
    expected: "a whole number from 1 to 300",
    fallback: "10",
    description: "Seconds that a QR code may take in its thread. Then the request is answered 503, and the thread is replaced.",
    details: "qr.md#operating",
  },
} satisfies Record<string, Setting>

const transcripts = {
  transcriptsWeights: {
    name: "MATCHPOINT_TRANSCRIPTS_WEIGHTS",
    expected: "the path of a file",
    description: "File with the weights of the speech engine, in the format of whisper.cpp. If it is not set, there are no transcripts.",
    details: "transcripts-setup.md",
  },
  transcriptsEngine: {
    name: "MATCHPOINT_TRANSCRIPTS_ENGINE",
    expected: "whisper-server or whisper-node",
    fallback: "whisper-server",
    description: "Speech engine: the program whisper-server of whisper.cpp, or the npm package @fugood/whisper.node, which is slower.",
    details: "transcripts-setup.md#the-speech-engine",
  },
  transcriptsThreads: {
    name: "MATCHPOINT_TRANSCRIPTS_THREADS",
    expected: "a whole number from 1 to 64",
    fallback: "2",
    description: "Threads of the speech engine.",
    details: "transcripts-setup.md#sizing",
  },
  transcriptsPath: {
    name: "MATCHPOINT_TRANSCRIPTS_PATH",
    expected: "directories separated by colons",
    fallback: "the PATH of the server",
    description: "Directories in which yt-dlp, ffmpeg, ffprobe and whisper-server are searched.",
  },
} satisfies Record<string, Setting>

const simulation = {
  simulatedMatches: {
    name: "MATCHPOINT_SIMULATED_MATCHES",
    expected: `a whole number from 0 to ${MAX_SIMULATED_MATCHES}`,
    fallback: "4, or 0 if DATABASE_URL is set",
    description: `Number of simulated live matches of CS2, 0 to ${MAX_SIMULATED_MATCHES}. Tennis has as many, Call of Duty half as many, Apex a quarter.`,
  },
  simulationSpeed: {
    name: "MATCHPOINT_SIMULATION_SPEED",
    expected: "a number above 0, or max",
    fallback: "1",
    description: "Speed of simulated matches: 1 is real time, max is as fast as possible.",
  },
} satisfies Record<string, Setting>

const logging = {
  log: {
    name: "MATCHPOINT_LOG",
    expected: "text or json",
    fallback: "text",
    description: "Format of the log. json writes one object per line.",
    details: "operations.md#the-log",
  },
  logLevel: {
    name: "MATCHPOINT_LOG_LEVEL",
    expected: "trace, debug, info, warning or error",
    fallback: "info",
    description: "Less severe lines are not written.",
    details: "operations.md#the-log",
  },
} satisfies Record<string, Setting>

const tracing = {
  tracesUrl: {
    name: "MATCHPOINT_TRACES_URL",
    expected: "an address such as http://localhost:4318/v1/traces",
    description: "Address of a collector to which gateway, feed and match processes send traces (OTLP over HTTP, JSON).",
    details: "processes.md#traces",
  },
  tracesRatio: {
    name: "MATCHPOINT_TRACES_RATIO",
    expected: "a number from 0 to 1",
    fallback: "0.01",
    description: "Share of HTTP requests that start a trace.",
    details: "processes.md#traces",
  },
} satisfies Record<string, Setting>

/** All settings by topic, in the order in which the generated documents list them. */
export const settingGroups: ReadonlyArray<{ readonly title: string; readonly settings: ReadonlyArray<Setting> }> = [
  { title: "Network", settings: Object.values({ ...network, ...stopping }) },
  { title: "Data", settings: Object.values(data) },
  { title: "Cluster", settings: Object.values(cluster) },
  { title: "Access and limits", settings: Object.values(access) },
  { title: "QR codes", settings: Object.values(images) },
  { title: "Transcripts", settings: Object.values(transcripts) },
  { title: "Simulation", settings: Object.values(simulation) },
  { title: "Log", settings: Object.values(logging) },
  { title: "Traces", settings: Object.values(tracing) },
]

/** All settings. Each setting has the same key here as in `StandaloneSettings`. */
export const settings = {
  ...network,
  ...stopping,
  ...data,
  ...cluster,
  ...access,
  ...images,
  ...transcripts,
  ...simulation,
  ...logging,
  ...tracing,
}
