/**
 * Everything that a seed decides before a simulation starts, as plain data: the matches and the behaviour of their
 * feeds, the sizes of logs and rings, what each client follows and how, and the faults with their times.
 */
import { conflationSteps } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { ClientPlan } from "./clientPlan.ts"
import { takeoverFaults } from "./takeovers.ts"

export const HOUR_MS = 3_600_000

/** No fault starts after this, so that every client can settle. */
export const QUIET_FROM_MS = HOUR_MS - 200_000

export interface MatchPlan {
  readonly matchId: MatchId
  readonly seed: number
  readonly beginsAtMs: number
  /** Share of detail facts that the feed leaves out. */
  readonly thinned: number
  readonly repeated: number
  readonly displaced: number
  /** The main feed is silent between these times, and a backup feed replaces it. */
  readonly quiet: { readonly fromMs: number; readonly toMs: number } | undefined
}

export type Fault =
  | { readonly _tag: "OwnerKilled"; readonly atMs: number; readonly forMs: number; readonly losesCheckpoints: boolean }
  | { readonly _tag: "OwnerFrozen"; readonly atMs: number; readonly forMs: number; readonly thawedMs: number }
  | { readonly _tag: "GatewayKilled"; readonly atMs: number; readonly forMs: number; readonly kept: number; readonly silently: boolean }
  | { readonly _tag: "GatewayDrained"; readonly atMs: number; readonly forMs: number }
  | { readonly _tag: "GatewayFrozen"; readonly atMs: number; readonly forMs: number }
  | { readonly _tag: "Storm"; readonly atMs: number; readonly forMs: number; readonly strength: number }
  /** A second owner runs beside the first. `staysMs`: for how long. */
  | { readonly _tag: "SecondOwner"; readonly atMs: number; readonly staysMs: number }
  /** FEED loses all but its newest records. */
  | { readonly _tag: "FeedTrimmed"; readonly atMs: number; readonly kept: number }
  /** The database answers no request. */
  | { readonly _tag: "StoreDown"; readonly atMs: number; readonly forMs: number }
  /** The log is replaced by an empty one, or by a backup of so many ms ago. */
  | { readonly _tag: "LogReplaced"; readonly atMs: number; readonly backupAgeMs: number | undefined }
  /** The database answers late, and some requests time out. */
  | { readonly _tag: "StoreSlow"; readonly atMs: number; readonly forMs: number }
  /** The log does not answer the next question of a gateway for its time. */
  | { readonly _tag: "LogTimeUnknown"; readonly atMs: number }
  /** The wall clock of a gateway or of the owner jumps. */
  | { readonly _tag: "ClockJump"; readonly atMs: number; readonly byMs: number; readonly ofOwner: boolean }

/** Version of the set of faults. A seed that found a problem in an edition behaves the same in that edition forever. */
export const editions = [1, 2, 3] as const
export type Edition = (typeof editions)[number]
export const NEWEST_EDITION: Edition = 3

export interface Plot {
  readonly seed: number
  readonly edition: Edition
  readonly matches: ReadonlyArray<MatchPlan>
  readonly clients: ReadonlyArray<ClientPlan>
  readonly faults: ReadonlyArray<Fault>
  /** Length of the simulation, ms. */
  readonly lengthMs: number
  /** Feeds report nothing after this time. */
  readonly feedsEndMs: number
  /** From then on, clients only reconnect. */
  readonly quietFromMs: number
  /** How an owner finds its matches: all announced ones, or by the partitions that a cluster assigns to it. */
  readonly matchesBy: "announcement" | "partition"
  /** One entry for each gateway: whether it reads all of LIVE, or only what its clients follow. */
  readonly gateways: ReadonlyArray<"all" | "followed">
  readonly feedBytes: number
  readonly liveBytes: number
  readonly ringFrames: number
  readonly ringAgeMs: number
  readonly maxBackpressureBytes: number
  /** Maximum load of the gateways, 0..1. */
  readonly load: number
  /** Maximum error of the nodes' wall clocks, in either direction. 0: none. */
  readonly maxSkewMs: number
}

export const replacesLog = ({ faults }: Plot): boolean => faults.some(({ _tag }) => _tag === "LogReplaced")

const MB = 1024 * 1024

export const plotOf = (seed: number, edition: Edition = NEWEST_EDITION): Plot => {
  const random = new Random(childSeed(seed, 1))
  const matches = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, (_, index) =>
    matchPlan(new Random(childSeed(seed, 100 + index)), index),
  )
  const small = random.chance(0.3)
  const replaced = edition < 3 ? undefined : replacedLog(new Random(childSeed(seed, 7)), matches)
  const faults = [
    ...plannedFaults(new Random(childSeed(seed, 2))),
    ...(edition === 1 ? [] : laterFaults(new Random(childSeed(seed, 3)), matches)),
    ...(edition < 3 ? [] : takeoverFaults(new Random(childSeed(seed, 5)), 60_000, QUIET_FROM_MS - 60_000)),
  ]
  return {
    seed,
    edition,
    matches,
    clients: Array.from({ length: random.int(5, 10) }, (_, index) => clientPlan(new Random(childSeed(seed, 200 + index)), index, matches)),
    faults: replaced === undefined ? faults : [...faults.filter((fault) => leavesCheckpoints(fault, replaced.atMs)), replaced],
    lengthMs: HOUR_MS,
    feedsEndMs: HOUR_MS,
    quietFromMs: QUIET_FROM_MS,
    matchesBy: edition < 3 ? "announcement" : new Random(childSeed(seed, 6)).pick(["announcement", "partition"]),
    // Clients move between gateways of both kinds.
    gateways: random.int(1, 2) === 1 ? ["all"] : ["all", "followed"],
    feedBytes: random.chance(0.15) ? random.int(60_000, 300_000) : 64 * MB,
    liveBytes: random.chance(0.25) ? random.int(MB / 4, 4 * MB) : 256 * MB,
    ringFrames: small ? random.int(5, 100) : 2_048,
    ringAgeMs: small ? random.int(5_000, 90_000) : 600_000,
    maxBackpressureBytes: random.pick([24 * 1024, 64 * 1024, 256 * 1024, 1 * MB]),
    load: random.chance(0.5) ? 0 : random.next(),
    maxSkewMs: edition === 1 ? 0 : new Random(childSeed(seed, 4)).pick([0, 2_000, 120_000]),
  }
}

const matchPlan = (random: Random, index: number): MatchPlan => {
  const beginsAtMs = random.int(0, random.chance(0.7) ? 120_000 : 1_500_000)
  const quietFrom = beginsAtMs + random.int(300_000, 1_800_000)
  return {
    matchId: matchId(1_001 + index),
    seed: random.int(1, 1_000_000),
    beginsAtMs,
    thinned: random.between(0.4, 0.95),
    repeated: random.chance(0.5) ? random.between(0, 0.05) : 0,
    displaced: random.chance(0.5) ? random.between(0, 0.05) : 0,
    quiet: random.chance(0.4) ? { fromMs: quietFrom, toMs: quietFrom + random.int(60_000, 300_000) } : undefined,
  }
}

const clientPlan = (random: Random, index: number, matches: ReadonlyArray<MatchPlan>): ClientPlan => {
  const transport = random.chance(0.65) ? "socket" : "stream"
  const rooms = matches.map((match) => matchRoom(match.matchId))
  const one = rooms[random.int(0, rooms.length - 1)] ?? ALL
  const followed = random.chance(0.45) ? [ALL] : transport === "socket" && random.chance(0.4) ? rooms : [one]
  return {
    name: `c${index}`,
    transport,
    plan: random.pick(["free", "starter", "pro", "business", "scale", "enterprise"]),
    shape: random.pick(["v1", "v2"]),
    rooms: transport === "socket" && followed[0] === ALL && random.chance(0.2) ? [one, ALL] : followed,
    maxRateMs: random.chance(0.2) ? random.pick(conflationSteps) : undefined,
    flush: random.pick([undefined, "adaptive", "immediate"]),
    slow: random.pick(["conflate", "catchup", "close"]),
    speed: {
      latencyMs: random.int(1, 200),
      bytesPerMs: random.chance(0.8) ? Number.POSITIVE_INFINITY : random.between(2, 60),
      kernelBytes: random.int(4, 128) * 1024,
    },
    actionsEveryMs: random.between(60_000, 900_000),
  }
}

const plannedFaults = (random: Random): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  for (let at = random.wait(200_000); at < QUIET_FROM_MS; at += random.wait(200_000)) faults.push(faultAt(random, Math.round(at)))
  return faults
}

const faultAt = (random: Random, atMs: number): Fault => {
  const forMs = random.int(0, random.chance(0.7) ? 15_000 : 90_000)
  switch (random.int(0, 6)) {
    case 0:
      return { _tag: "OwnerKilled", atMs, forMs, losesCheckpoints: random.chance(0.2) }
    case 1:
      return { _tag: "OwnerFrozen", atMs, forMs: random.int(1_000, 300_000), thawedMs: random.int(1_000, 30_000) }
    case 2:
      return { _tag: "GatewayKilled", atMs, forMs, kept: random.next(), silently: random.chance(0.3) }
    case 3:
      return { _tag: "GatewayDrained", atMs, forMs }
    case 4:
      return { _tag: "GatewayFrozen", atMs, forMs }
    default:
      return { _tag: "Storm", atMs, forMs: forMs + 1_000, strength: random.next() }
  }
}

/** Faults added in edition 2. */
const laterFaults = (random: Random, matches: ReadonlyArray<MatchPlan>): ReadonlyArray<Fault> => {
  const anyTime = () => random.int(60_000, QUIET_FROM_MS - 60_000)
  const faults: Array<Fault> = []
  for (const { beginsAtMs } of matches) {
    // While the match is announced and its first owner looks for it.
    if (random.chance(0.3))
      faults.push({ _tag: "StoreDown", atMs: Math.max(0, beginsAtMs - random.int(0, 5_000)), forMs: random.int(1_000, 60_000) })
  }
  if (random.chance(0.5)) {
    const atMs = anyTime()
    faults.push({ _tag: "SecondOwner", atMs, staysMs: Math.min(random.int(1_000, 600_000), QUIET_FROM_MS - atMs) })
  }
  if (random.chance(0.3)) faults.push({ _tag: "FeedTrimmed", atMs: anyTime(), kept: random.pick([0, 0, 10, 200]) })
  for (let jumps = random.int(0, 3); jumps > 0; jumps--) {
    faults.push({ _tag: "ClockJump", atMs: anyTime(), byMs: random.int(-600_000, 600_000), ofOwner: random.chance(0.4) })
  }
  return faults
}

/** Added in edition 3. Every match has begun by then. */
const replacedLog = (random: Random, matches: ReadonlyArray<MatchPlan>): (Fault & { readonly _tag: "LogReplaced" }) | undefined => {
  if (!random.chance(0.2)) return undefined
  const allBeganMs = Math.max(...matches.map(({ beginsAtMs }) => beginsAtMs))
  const atMs = random.int(allBeganMs + 60_000, QUIET_FROM_MS - 300_000)
  return { _tag: "LogReplaced", atMs, backupAgeMs: random.chance(0.5) ? undefined : random.int(1_000, 300_000) }
}

/** How long the matches need to find that the log is another one, ms. */
const NOTICED_WITHIN_MS = 60_000

/**
 * Returns false if the fault takes the checkpoints away too: those from before a log was replaced at `replacedAtMs` later, or
 * all of them at that time. Without both, nothing shows what was published.
 */
const leavesCheckpoints = (fault: Fault, replacedAtMs: number): boolean => {
  if (fault._tag === "OwnerKilled") return !fault.losesCheckpoints || fault.atMs < replacedAtMs - NOTICED_WITHIN_MS
  const isOfStore = fault._tag === "StoreSlow" || fault._tag === "StoreDown" || fault._tag === "Storm"
  return !isOfStore || fault.atMs + fault.forMs < replacedAtMs || fault.atMs > replacedAtMs + NOTICED_WITHIN_MS
}
