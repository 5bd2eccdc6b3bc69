import { LIVE } from "@matchpoint/contracts/bus/subjects"
import { Effect } from "effect"
import { leaderOf } from "../system/nats.ts"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

export const natsLeader: Scenario = {
  name: "nats-leader",
  summary: "of three NATS servers, kill -9 of the one that leads LIVE; it starts again after 5 s",
  topology: { ...usualTopology, natsServers: 3 },
  load: usualLoad,
  demands: { longestPauseMs: 15_000 },
  fault: Effect.fnUntraced(function* ({ finding, note, system }) {
    const leader = yield* leaderOf(system.nats, LIVE)
    if (leader === undefined) return finding("no NATS server leads LIVE: its stream is not replicated")
    note(`${leader.name} led LIVE`)
    yield* leader.program.kill
    yield* Effect.sleep("5 seconds")
    yield* leader.program.restart()
  }),
}
