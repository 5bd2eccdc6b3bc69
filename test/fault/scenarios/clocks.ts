import { Effect } from "effect"
import { usualNodes, usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"
import { busiestOwner } from "./victims.ts"

const AHEAD = 40

export const clocks: Scenario = {
  name: "clocks",
  summary: "the clocks of one match process and one gateway are 40 s ahead of the others, and the busiest owner is killed",
  topology: {
    ...usualTopology,
    nodes: usualNodes.map((node) => (node.name === "match-1" || node.name === "gateway-1" ? { ...node, clockShiftSeconds: AHEAD } : node)),
  },
  load: {
    ...usualLoad,
    // Long enough for delayed clients to receive frames.
    full: { ...usualLoad.full, secondsAfter: 75 },
  },
  demands: { longestPauseMs: 3_000 },
  fault: (world) => Effect.flatMap(busiestOwner(world), ({ program }) => program.kill),
}
