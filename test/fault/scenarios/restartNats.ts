import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

export const restartNats: Scenario = {
  name: "restart-nats",
  summary: "NATS is killed with -9 and starts again after 1 s",
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 15_000 },
  fault: Effect.fnUntraced(function* ({ note, system }) {
    if (!system.nats.flushesEachAppend) {
      note("this NATS does not know `sync_interval: always` (2.10): the kill shows a crash of the process, not of the machine")
    }
    for (const { program } of system.nats.nodes) {
      yield* program.kill
      yield* Effect.sleep("1 second")
      yield* program.restart()
    }
  }),
}
