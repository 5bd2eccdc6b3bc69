/** One measurement: the system of the fault scenarios without clients, under the load of their feeds. */
import { Effect } from "effect"
import type { FeedsStatus, Finished, Registered } from "../../fault/load/feeds/orders.ts"
import { startFeeds } from "../../fault/load/Worker.ts"
import { cpuMsOf } from "../../fault/system/cpu.ts"
import { FEED_TOKEN, type NodePlan } from "../../fault/system/MatchpointNode.ts"
import { startSystem } from "../../fault/system/System.ts"
import { makeWorkspace } from "../../fault/system/Workspace.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { rounded } from "../lib/statistics.ts"

export interface IntakeLoad {
  readonly matches: number
  /** Facts per second and match. */
  readonly rate: number
  readonly seconds: number
  /** Match processes. */
  readonly processes: number
  /** Folder for CPU profiles. */
  readonly profile: string | undefined
}

const WARM_UP_SECONDS = 5
const FINISH_WITHIN_MS = 30_000

export const measureIntake = Effect.fnUntraced(function* ({ matches, processes, profile, rate, seconds }: IntakeLoad) {
  const workspace = yield* makeWorkspace(false)
  const nodeArguments = profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", profile]
  const matchNodes = Array.from(
    { length: processes },
    (_, index): NodePlan => ({ name: `match-${index + 1}`, role: "match", nodeArguments }),
  )
  const feedNode: NodePlan = { name: "feed-1", role: "feed", nodeArguments }
  const system = yield* startSystem(
    workspace,
    { nodes: [...matchNodes, feedNode], natsServers: 1, links: [] },
    { certificate: "", otherCommit: "" },
  )
  const feeds = yield* startFeeds
  yield* feeds.ask<Registered>(
    {
      kind: "register",
      intakes: system.of("feed").map(({ port }) => `http://127.0.0.1:${port}`),
      token: FEED_TOKEN,
      seed: 1,
      matches,
      length: Math.ceil(rate * (WARM_UP_SECONDS + seconds + 5)),
    },
    120_000,
  )
  yield* feeds.ask({ kind: "start", rate })
  yield* Effect.sleep(WARM_UP_SECONDS * 1_000)

  const programs = [
    ...system.nodes.map(({ program }) => program),
    ...system.nats.nodes.map(({ program }) => program),
    system.postgres.program,
  ]
  const look = Effect.gen(function* () {
    const cpuMs = programs.map(({ pid }) => cpuMsOf(pid))
    return { ...(yield* feeds.ask<FeedsStatus>({ kind: "status" })), programs: cpuMs, atUs: monotonicUs(), busyUs: machineBusyUs() }
  })
  const before = yield* look
  yield* Effect.sleep(seconds * 1_000)
  const after = yield* look
  const { failures, matches: fed } = yield* feeds.ask<Finished>({ kind: "finish", withinMs: FINISH_WITHIN_MS }, FINISH_WITHIN_MS + 10_000)

  // Node writes a profile when its process ends by itself.
  if (profile !== undefined) yield* Effect.forEach(system.nodes, ({ program }) => program.stop, { discard: true })

  const tookSeconds = (after.atUs - before.atUs) / 1e6
  const facts = after.acknowledged - before.acknowledged
  const used = programs.map(({ name }, index) => {
    const cpuMs = (after.programs[index] ?? 0) - (before.programs[index] ?? 0)
    return [name, { cores: rounded(cpuMs / 1e3 / tookSeconds, 2), usPerFact: Math.round((cpuMs * 1e3) / facts) }] as const
  })
  const coresOfAll = (after.busyUs - before.busyUs) / 1e6 / tookSeconds
  const coresOfRun = used.reduce((sum, [, { cores }]) => sum + cores, (after.cpuMs - before.cpuMs) / 1e3 / tookSeconds)
  return {
    offeredPerSecond: matches * rate,
    acknowledgedPerSecond: Math.round(facts / tookSeconds),
    postsPerSecond: Math.round((after.posts - before.posts) / tookSeconds),
    retries: after.retries - before.retries,
    failures,
    longestPostMs: Math.max(0, ...fed.map(({ longestPostMs }) => longestPostMs)),
    cpu: Object.fromEntries(used),
    /** Cores that other processes used meanwhile. They make the measured ones slower. */
    coresOfOthers: rounded(Math.max(0, coresOfAll - coresOfRun), 2),
  }
}, Effect.scoped)
