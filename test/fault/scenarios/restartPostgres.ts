import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

export const restartPostgres: Scenario = {
  name: "restart-postgres",
  summary: "PostgreSQL is killed with -9, and starts again after 2 s",
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 10_000 },
  fault: Effect.fnUntraced(function* ({ system }) {
    yield* system.postgres.program.kill
    yield* Effect.sleep("2 seconds")
    yield* system.postgres.program.restart()
  }),
}
