/**
 * Short simulations of one process that starts: an owner takes over a running match, an owner begins a new match, a
 * gateway starts while clients wait for it. Nothing else happens, so that a {@link SingleFault} is the only fault.
 */
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { ClientPlan } from "./clientPlan.ts"
import type { Fault, MatchPlan, Plot } from "./Plot.ts"
import type { DisturbedStart } from "./Processes.ts"

export interface StartScenario {
  readonly name: string
  readonly plot: Plot
  /** The process whose start is disturbed. */
  readonly starts: Omit<DisturbedStart, "by">
  /** Requests count from this time to `countsToMs`, ms after the start of the simulation. */
  readonly countsFromMs: number
  readonly countsToMs: number
  /** Part of `npm test`, with a sample of its requests. */
  readonly isSampled: boolean
}

const SEED = 1

/** By then, the second round is played. */
const STOPPED_AT_MS = 130_000
const STARTED_AT_MS = STOPPED_AT_MS + 2_000
/** Everything that a process repeats, it does once in this time. */
const COUNTED_MS = 65_000
const FEEDS_END_MS = STARTED_AT_MS + COUNTED_MS + 20_000
/** Long enough for the delayed plans to receive everything. */
const LENGTH_MS = FEEDS_END_MS + 90_000

const match: MatchPlan = {
  matchId: matchId(1_001),
  seed: SEED,
  beginsAtMs: 5_000,
  thinned: 0.8,
  repeated: 0,
  displaced: 0,
  quiet: undefined,
}

const client = (index: number, plan: Pick<ClientPlan, "transport" | "plan" | "shape" | "rooms"> & Partial<ClientPlan>): ClientPlan => ({
  name: `c${index}`,
  maxRateMs: undefined,
  flush: "immediate",
  slow: "conflate",
  speed: { latencyMs: 20, bytesPerMs: Number.POSITIVE_INFINITY, kernelBytes: 64 * 1024 },
  actionsEveryMs: Number.MAX_SAFE_INTEGER,
  ...plan,
})

const room = matchRoom(match.matchId)

const clients: ReadonlyArray<ClientPlan> = [
  client(0, { transport: "socket", plan: "pro", shape: "v2", rooms: [room] }),
  client(1, { transport: "socket", plan: "free", shape: "v2", rooms: [ALL] }),
  client(2, { transport: "stream", plan: "pro", shape: "v1", rooms: [ALL] }),
  client(3, { transport: "stream", plan: "free", shape: "v1", rooms: [room] }),
  client(4, { transport: "socket", plan: "scale", shape: "v2", rooms: [room], maxRateMs: 1_000 }),
]

const plotWith = (faults: ReadonlyArray<Fault>, matchesBy: Plot["matchesBy"], reads: "all" | "followed"): Plot => ({
  seed: SEED,
  edition: 3,
  matches: [match],
  clients,
  faults,
  lengthMs: LENGTH_MS,
  feedsEndMs: FEEDS_END_MS,
  quietFromMs: FEEDS_END_MS,
  matchesBy,
  gateways: [reads],
  feedBytes: 64 * 1024 * 1024,
  liveBytes: 64 * 1024 * 1024,
  ringFrames: 2_048,
  ringAgeMs: 600_000,
  maxBackpressureBytes: 64 * 1024,
  load: 0,
  maxSkewMs: 0,
})

const restart = { atMs: STOPPED_AT_MS, forMs: STARTED_AT_MS - STOPPED_AT_MS }
const ownerKilled: Fault = { _tag: "OwnerKilled", ...restart, losesCheckpoints: false }
const gatewayKilled: Fault = { _tag: "GatewayKilled", ...restart, kept: 0.5, silently: false }
const duringRestart = { countsFromMs: STARTED_AT_MS, countsToMs: STARTED_AT_MS + COUNTED_MS }
const duringStart = { countsFromMs: 0, countsToMs: COUNTED_MS }

const takeover = (matchesBy: Plot["matchesBy"]): StartScenario => ({
  name: `an owner takes over a match by its ${matchesBy}`,
  plot: plotWith([ownerKilled], matchesBy, "all"),
  starts: { process: "owner", start: 2 },
  isSampled: matchesBy === "partition",
  ...duringRestart,
})

const freshMatch = (matchesBy: Plot["matchesBy"]): StartScenario => ({
  name: `an owner begins a new match by its ${matchesBy}`,
  plot: plotWith([], matchesBy, "all"),
  starts: { process: "owner", start: 1 },
  isSampled: false,
  ...duringStart,
})

const gatewayStart = (reads: "all" | "followed"): StartScenario => ({
  name: reads === "all" ? "a gateway that reads all matches starts" : "a gateway that reads followed matches starts",
  plot: plotWith([gatewayKilled], "announcement", reads),
  starts: { process: "gateway", start: 2 },
  isSampled: reads === "followed",
  ...duringRestart,
})

export const startScenarios: ReadonlyArray<StartScenario> = [
  takeover("announcement"),
  takeover("partition"),
  freshMatch("announcement"),
  freshMatch("partition"),
  gatewayStart("all"),
  gatewayStart("followed"),
]
