import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"
import { busiestOwner } from "./victims.ts"

export const killOwner: Scenario = {
  name: "kill-owner",
  summary: "kill -9 of the match process that owns the most matches",
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 3_000 },
  fault: Effect.fnUntraced(function* (world) {
    const owner = yield* busiestOwner(world)
    yield* owner.program.kill
  }),
}
