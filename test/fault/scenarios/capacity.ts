import { Effect } from "effect"
import type { FeedsStatus } from "../load/feeds/orders.ts"
import { cpuMsOf } from "../system/cpu.ts"
import type { Program } from "../system/Program.ts"
import { usualTopology } from "../system/System.ts"
import type { Scenario, World } from "./Scenario.ts"
import { matchesByOwner } from "./victims.ts"

/** Facts per second and match, one step after the other. */
const RATES = { small: [2, 4], full: [2, 4, 6] } as const
const STEP_SECONDS = { small: 4, full: 12 } as const

const programsOf = ({ system }: World): ReadonlyArray<Program> => [
  ...system.nodes.map(({ program }) => program),
  ...system.nats.nodes.map(({ program }) => program),
  system.postgres.program,
]

/** Runs at a rate for some seconds and notes what was acknowledged, and the CPU of each process in percent of a core. */
const measureStep = Effect.fnUntraced(function* (world: World, title: string, rate: number) {
  const seconds = STEP_SECONDS[world.size]
  const { matches } = capacity.load[world.size]
  yield* world.feeds.ask({ kind: "start", rate })
  yield* Effect.sleep("2 seconds")
  const programs = programsOf(world)
  const cpu = programs.map(({ pid }) => cpuMsOf(pid))
  const before = yield* world.feeds.ask<FeedsStatus>({ kind: "status" })
  const startedAt = performance.now()
  yield* Effect.sleep(seconds * 1_000)
  const elapsed = performance.now() - startedAt
  const after = yield* world.feeds.ask<FeedsStatus>({ kind: "status" })
  const share = (ms: number) => `${Math.round((ms * 100) / elapsed)} %`
  const used = programs.map((program, index) => `${program.name} ${share(cpuMsOf(program.pid) - (cpu[index] ?? 0))}`)
  const acknowledged = Math.round(((after.acknowledged - before.acknowledged) * 1_000) / elapsed)
  world.note(
    `${title}: offered ${matches * rate} facts/s, acknowledged ${acknowledged}/s in ${Math.round(((after.posts - before.posts) * 1_000) / elapsed)} posts/s; CPU: feeds ${share(after.cpuMs - before.cpuMs)}, ${used.join(", ")}`,
  )
})

/** Not a fault: raises the rate in steps on two match processes, then adds a third one under load. */
export const capacity: Scenario = {
  name: "capacity",
  summary: "500 matches on two match processes at rising rates; then a third process takes over a part of them",
  topology: usualTopology,
  load: {
    small: { matches: 20, clients: 20, factsPerSecond: 2, secondsBefore: 3, secondsAfter: 5, factsPerMatch: 150 },
    full: { matches: 500, clients: 500, factsPerSecond: 1, secondsBefore: 5, secondsAfter: 15, factsPerMatch: 220 },
  },
  demands: {},
  fault: Effect.fnUntraced(function* (world) {
    for (const rate of RATES[world.size]) yield* measureStep(world, "two match processes", rate)
    yield* world.feeds.ask({ kind: "start", rate: 1 })
    world.note(`before: ${yield* matchesByOwner(world)}`)
    yield* world.system.join({ name: "match-3", role: "match" })
    yield* Effect.sleep("10 seconds")
    world.note(`with a third match process: ${yield* matchesByOwner(world)}`)
    yield* measureStep(world, "three match processes", 1)
  }),
}
