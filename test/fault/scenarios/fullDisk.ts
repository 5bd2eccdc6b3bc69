import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { fillDisk, freeDisk } from "../system/smallDisk.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

const FULL_FOR = "8 seconds"

export const fullDisk: Scenario = {
  name: "full-disk",
  summary: "the disk of NATS is full for 8 s; then an operator frees space and restarts NATS",
  topology: { ...usualTopology, smallNatsDisk: true },
  load: usualLoad,
  demands: { longestPauseMs: 25_000 },
  fault: Effect.fnUntraced(function* ({ system }) {
    for (const { program, store } of system.nats.nodes) {
      yield* fillDisk(store)
      yield* Effect.sleep(FULL_FOR)
      yield* freeDisk(store)
      // NATS 2.9 turns JetStream off after a failed write, until it is restarted, and does not obey SIGTERM then.
      yield* program.kill
      yield* program.restart()
    }
  }),
}
