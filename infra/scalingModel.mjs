/**
 * Arithmetic of infra/SCALING.md: from measured costs and a load to the number of processes, bytes and writes. Pure. A test
 * compares the measured values with test/load/RESULTS.md.
 */

/**
 * Measured values. `quote` is a text of test/load/RESULTS.md that contains the value; `benchmark` is the section it is in. Of
 * several runs, the worst one counts.
 */
export const measured = {
  events: {
    value: 4_301,
    unit: "events/s",
    what: "events that one match process folds and publishes, on NATS",
    benchmark: "engine",
    quote: "**4,301, 4,630**",
  },
  natsCores: {
    value: 0.66,
    unit: "cores",
    what: "use of the NATS server in that run",
    benchmark: "engine",
    quote: "with NATS 0.66, which is its server",
  },
  matchMemory: { value: 542, unit: "KB", what: "memory of one live match", benchmark: "engine", quote: "| 542 KB |" },
  recordBytes: { value: 866, unit: "B", what: "record of LIVE, on average", benchmark: "engine", quote: "866 bytes on average" },
  deliveryTime: {
    value: 10.22,
    unit: "us",
    what: "CPU of a gateway to deliver one frame to one of 10,000 sockets",
    benchmark: "fanout",
    quote: "9.34 us, last socket p99 117 ms | 10.22 us",
  },
  readTime: {
    value: 51.7,
    unit: "us",
    what: "CPU of a gateway to read one record that no client follows, both tiers",
    benchmark: "unfollowed",
    quote: "41.4, 51.7 us",
  },
  deltaBytes: { value: 532, unit: "B", what: "delta of a real match, without headers", benchmark: "deltas", quote: "| **532** |" },
  socketMemory: { value: 2_257, unit: "B", what: "memory of one idle WebSocket", benchmark: "idle", quote: "ours 2,257 B of RSS" },
  resumeTime: {
    value: 405,
    unit: "us",
    what: "CPU of a gateway to take back one client",
    benchmark: "resume",
    quote: "405 us of CPU per resume",
  },
  requestTime: {
    value: 49.9,
    unit: "us",
    what: "CPU of a gateway for one metered REST request from memory",
    benchmark: "metering",
    quote: "46.9 / 49.9 us",
  },
  exchangeTime: {
    value: 1.4,
    unit: "ms",
    what: "CPU of PostgreSQL for one exchange with the ledger",
    benchmark: "metering",
    quote: "needs the same 1.4 ms",
  },
  webhooks: { value: 4_974, unit: "/s", what: "deliveries of one webhooks worker", benchmark: "webhooks", quote: "4,974 deliveries/s" },
}

/** Values that the code sets. A test compares the first three of them with the code. */
export const configured = {
  /** Bytes that LIVE keeps at most. */
  liveBytes: 512 * 1024 * 1024,
  /** Seconds between checkpoints of a match. */
  checkpointSeconds: 5,
  /** Seconds between exchanges of a gateway with the ledger. */
  ledgerSeconds: 2,
  /** Bytes of a checkpoint, about. */
  checkpointBytes: 50_000,
  /** Checkpoints that share a statement, at most. */
  checkpointsPerStatement: 32,
  /** Connections of a process to PostgreSQL. */
  connections: 10,
}

/** Share of a core that a process uses at the planned load. The rest is for peaks and for the load of a process that ended. */
const PLANNED = 0.6
/** Bytes of the TCP, IP and WebSocket headers of one small message. */
export const HEADER_BYTES = 56
/** Bytes per second of a network interface of 10 Gbit/s. */
const INTERFACE = 1.25e9
/** Seconds of LIVE that clients can resume from at least. */
const KEPT_SECONDS = 900

/**
 * @typedef {object} Load
 * @property {number} matches live matches
 * @property {number} sockets connected clients, each following one match
 * @property {number} changes facts per match and second, each of which makes one change
 * @property {number} updates frames per client and second: `changes`, or less if clients ask for conflation
 */

/** @type {Load} */
export const target = { matches: 10_000, sockets: 10_000_000, changes: 4, updates: 4 }

/**
 * Computes what a load needs. All values are arithmetic.
 * @param {Load} load
 */
export function plan({ changes, matches, sockets, updates }) {
  const events = matches * changes
  const matchProcesses = Math.max(2, Math.ceil(events / measured.events.value / PLANNED))
  const deliveries = sockets * updates
  const deliveryCores = (deliveries * measured.deliveryTime.value) / 1e6
  const gateways = Math.max(2, Math.ceil(deliveryCores / PLANNED))
  const liveRate = events * measured.recordBytes.value
  const checkpoints = matches / configured.checkpointSeconds
  return {
    events,
    matchProcesses,
    matchesPerProcess: matches / matchProcesses,
    matchMemory: (matches * measured.matchMemory.value * 1_000) / matchProcesses,
    appends: 2 * events,
    natsCores: (events * measured.natsCores.value) / measured.events.value,
    liveRate,
    liveKeptSeconds: configured.liveBytes / liveRate,
    liveNeeded: liveRate * KEPT_SECONDS,
    deliveries,
    deliveryCores,
    gateways,
    socketsPerGateway: sockets / gateways,
    socketMemory: (sockets * measured.socketMemory.value) / gateways,
    readCores: (events * measured.readTime.value) / 1e6,
    clientRate: deliveries * (measured.deltaBytes.value + HEADER_BYTES),
    gatewayRate: (deliveries * (measured.deltaBytes.value + HEADER_BYTES)) / gateways,
    brokerRate: gateways * liveRate,
    gatewaysPerInterface: INTERFACE / liveRate,
    relays: Math.ceil((gateways * liveRate) / INTERFACE),
    checkpoints,
    checkpointStatements: checkpoints / configured.checkpointsPerStatement,
    checkpointRate: checkpoints * configured.checkpointBytes,
    ledgerCores: (gateways / configured.ledgerSeconds) * (measured.exchangeTime.value / 1_000),
    connections: (gateways + matchProcesses) * configured.connections,
    gatewayLost: (sockets / gateways) * (measured.resumeTime.value / 1e6),
    allBack: (sockets * measured.resumeTime.value) / 1e6 / gateways,
  }
}

/**
 * Loads at which each limit is reached, in live matches with `changes` per second.
 * @param {number} changes
 */
export function limits(changes) {
  const perProcess = measured.events.value / changes
  return {
    /** LIVE no longer keeps 15 minutes. */
    liveSize: configured.liveBytes / (measured.recordBytes.value * changes * KEPT_SECONDS),
    /** One match process is busy all the time. */
    oneProcess: perProcess,
    /** One core of the NATS server is busy all the time. */
    oneNatsCore: perProcess / measured.natsCores.value,
    /** Checkpoints write 100 MB/s. */
    checkpoints: (100e6 / configured.checkpointBytes) * configured.checkpointSeconds,
    /** One gateway uses a core to read LIVE in both tiers. */
    oneReader: 1e6 / measured.readTime.value / changes,
    /** One gateway reads so much from LIVE that it fills an interface of 10 Gbit/s. */
    interfaceOfOneReader: INTERFACE / (measured.recordBytes.value * changes),
  }
}
