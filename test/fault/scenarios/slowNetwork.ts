import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

const SLOW = { latencyMs: 40, bytesPerSecond: 1_000_000 }

export const slowNetwork: Scenario = {
  name: "slow-network",
  summary: "every link to NATS and PostgreSQL has 40 ms of latency in each direction and 1 MB/s for 10 s",
  topology: { ...usualTopology, links: ["nats", "database"] },
  load: usualLoad,
  demands: { longestPauseMs: 5_000 },
  fault: Effect.fnUntraced(function* ({ system }) {
    const links = system.nodes.flatMap(({ databaseLinks, natsLinks }) => [...natsLinks, ...databaseLinks])
    yield* Effect.forEach(links, (link) => link.slowDown(SLOW), { discard: true })
    yield* Effect.sleep("10 seconds")
    yield* Effect.forEach(links, (link) => link.heal, { discard: true })
  }),
}
