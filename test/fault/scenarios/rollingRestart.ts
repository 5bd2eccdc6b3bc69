import { Effect } from "effect"
import { usualNodes, usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

export const rollingRestart: Scenario = {
  name: "rolling-restart",
  summary: "every process of Matchpoint is stopped with SIGTERM and started again, one after the other",
  // A second feed process takes posts while the first one restarts.
  topology: { ...usualTopology, nodes: [...usualNodes, { name: "feed-2", role: "feed" }] },
  load: usualLoad,
  demands: {},
  fault: Effect.fnUntraced(function* ({ note, system }) {
    for (const { name, program } of [...system.of("webhooks"), ...system.of("match"), ...system.of("feed"), ...system.of("gateway")]) {
      const startedAt = performance.now()
      yield* program.stop
      const stoppedAt = performance.now()
      yield* program.restart()
      note(`${name} stopped in ${Math.round(stoppedAt - startedAt)} ms and was ready ${Math.round(performance.now() - stoppedAt)} ms later`)
      yield* Effect.sleep("1 second")
    }
  }),
}
