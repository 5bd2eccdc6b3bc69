import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"
import { oneOf } from "./victims.ts"

export const killGateway: Scenario = {
  name: "kill-gateway",
  summary: "kill -9 of one of two gateways; its clients resume on the other one, and it starts again after 5 s",
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 5_000 },
  fault: Effect.fnUntraced(function* (world) {
    const gateway = oneOf(world, "gateway")
    yield* gateway.program.kill
    yield* Effect.sleep("5 seconds")
    yield* gateway.program.restart()
    world.note(`${gateway.name} was killed and started again`)
  }),
}
