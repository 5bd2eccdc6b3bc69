import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

export const restartRedis: Scenario = {
  name: "restart-redis",
  summary: "Redis is killed with -9 and starts again after 5 s, empty",
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 3_000 },
  fault: Effect.fnUntraced(function* ({ note, system }) {
    if (system.redis === undefined) return note("skipped: Redis is not installed")
    yield* system.redis.program.kill
    yield* Effect.sleep("5 seconds")
    yield* system.redis.program.restart()
  }),
}
