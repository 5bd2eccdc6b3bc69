/**
 * `npm run bench -- unfollowed [flags]`: CPU time that a gateway spends on a record of LIVE that none of its clients
 * follows, and that the first read of a match takes afterwards. Records are in the log before the gateway starts, which
 * reads all of them before it is ready. A gateway that reads only what its clients follow is measured with some of the 64
 * partitions in use: until it has read these, per record of all partitions. JSON on stdout.
 */
import { parseArgs } from "node:util"
import { setFlagsFromString } from "node:v8"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { LIVE, streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { nodeFlags } from "../../../infra/nodeFlags.mjs"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { gatewayOn } from "../lib/liveGateway.ts"
import { describeMachine } from "../lib/machine.ts"
import { median, rounded } from "../lib/statistics.ts"
import { firstReadUs } from "./firstReadUs.ts"
import { recordsOf } from "./recordsOf.ts"

const usage = `npm run bench -- unfollowed [flags]
  --matches <n>   default 200
  --payload <s>   frames (default): synthetic deltas of 532 bytes; feed: records of a simulated match, each for all matches
  --records <n>   of each match, default 100
  --rounds <n>    default 3; the median is reported
  --nats <url>    measures NATS too, on a server whose LIVE stream is empty
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    matches: { type: "string", default: "200" },
    payload: { type: "string", default: "frames" },
    records: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    nats: { type: "string" },
    json: { type: "boolean", default: false },
  },
})
const matches = Number(values.matches)
const records = Number(values.records)
const rounds = Number(values.rounds)
if (!(matches >= 1 && records >= 1 && rounds >= 1)) throw new Error("--matches, --records and --rounds are 1 or more")

const { payload } = values
if (payload !== "frames" && payload !== "feed") throw new Error(`--payload is frames or feed, not ${payload}`)

// As in the processes of a gateway.
for (const flag of nodeFlags) setFlagsFromString(flag)

/** The delayed tier then has read all records, or none of them. */
const settings: Readonly<Record<string, Partial<GatewaySettings>>> = {
  "both tiers": { delaySeconds: 0 },
  "real time only": { delaySeconds: 1_000_000 },
  "both tiers, 1 partition followed": { delaySeconds: 0, reads: "followed" },
  "both tiers, 8 partitions followed": { delaySeconds: 0, reads: "followed" },
}

/** Matches of as many partitions. */
const followedIn = (name: string): ReadonlyArray<MatchId> =>
  Array.from({ length: Number(/(\d+) partition/.exec(name)?.[1] ?? 0) }, (_, index) => matchId(index + 1))

const fill = Effect.gen(function* () {
  const log = yield* EventLog
  for (let match = 1; match <= matches; match++) {
    for (const { data, id, subject } of recordsOf({ kind: payload, match: matchId(match), count: records })) {
      yield* log.append(subject, id, data)
    }
  }
})

/**
 * Starts a gateway on the log, and returns the CPU time of this process until it is ready and has read the followed matches,
 * in microseconds.
 */
const startUs = (log: Context.Context<EventLog>, gateway: Partial<GatewaySettings>, followed: ReadonlyArray<MatchId>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const before = process.cpuUsage()
    const built = yield* Layer.buildWithScope(
      Layer.fresh(gatewayOn(0, "enterprise", gateway)).pipe(Layer.provide(Layer.succeedContext(log))),
      scope,
    )
    const { delayed, hold, realtime } = Context.get(built, LiveHub)
    const edges = [realtime, delayed]
    for (const edge of edges) for (const match of followed) hold(edge, match)
    const { last } = yield* Context.get(log, EventLog).bounds(LIVE)
    const isRead = () => last === 0 || edges.every(({ rooms }) => followed.every((match) => rooms.get(match)?.ring.size === records))
    while (!isRead()) yield* Effect.sleep(5)
    const { system, user } = process.cpuUsage(before)
    yield* Scope.close(scope, Exit.void)
    return system + user
  })

const measure = <E>(layer: Layer.Layer<EventLog, E>) =>
  Effect.gen(function* () {
    const log = yield* Layer.build(Layer.fresh(layer))
    const result: Record<string, number> = {}
    const runs = new Map<string, Array<number>>()
    for (const state of ["empty", "full"]) {
      if (state === "full") yield* Effect.provideContext(fill, log)
      for (let round = 0; round <= rounds; round++) {
        for (const [tiers, gateway] of Object.entries(settings)) {
          const us = yield* startUs(log, gateway, followedIn(tiers))
          // The first round compiles the code.
          if (round > 0) runs.set(`${state} ${tiers}`, [...(runs.get(`${state} ${tiers}`) ?? []), us])
        }
      }
    }
    for (const tiers of Object.keys(settings)) {
      const cost = median(runs.get(`full ${tiers}`) ?? []) - median(runs.get(`empty ${tiers}`) ?? [])
      result[tiers] = rounded(cost / (matches * records), 1)
    }
    return result
  }).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const memory = yield* measure(EventLogMemory.layer({ streams }))
  const nats = values.nats === undefined ? undefined : yield* measure(EventLogNats.layer({ servers: values.nats, streams }))
  return { memory, ...(nats === undefined ? {} : { nats }) }
})

const report = {
  bench: "unfollowed",
  machine: await describeMachine(),
  node: process.version,
  flags: { matches, payload, records, rounds },
  cpuUsPerRecord: await Effect.runPromise(program),
  cpuUsPerFirstRead: rounded(median(Array.from({ length: rounds }, () => firstReadUs(payload, matches, records))), 1),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
