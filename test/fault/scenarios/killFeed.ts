import { Effect } from "effect"
import { usualNodes, usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"
import { oneOf } from "./victims.ts"

export const killFeed: Scenario = {
  name: "kill-feed",
  summary: "kill -9 of one of two feed processes; feeds repeat their posts at the other one, and it starts again after 5 s",
  topology: { ...usualTopology, nodes: [...usualNodes, { name: "feed-2", role: "feed" }] },
  load: usualLoad,
  demands: { longestPauseMs: 5_000 },
  fault: Effect.fnUntraced(function* (world) {
    const feed = oneOf(world, "feed")
    yield* feed.program.kill
    yield* Effect.sleep("5 seconds")
    yield* feed.program.restart()
    world.note(`${feed.name} was killed and started again`)
  }),
}
