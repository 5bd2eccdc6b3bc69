import { Effect } from "effect"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"
import { busiestOwner } from "./victims.ts"

const FROZEN_FOR = "10 seconds"

/** The owner stops for longer than its locks hold, and then continues as if nothing had happened. It must publish nothing. */
export const freezeOwner: Scenario = {
  name: "freeze-owner",
  summary: "the match process that owns the most matches is suspended for 10 s and continues (stale owner)",
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 3_000 },
  fault: Effect.fnUntraced(function* (world) {
    const owner = yield* busiestOwner(world)
    yield* owner.program.freeze
    yield* Effect.sleep(FROZEN_FOR)
    const before = owner.program.output.length
    yield* owner.program.resume
    yield* Effect.sleep("2 seconds")
    const [line = "nothing"] = owner.program.output.slice(before).split("\n")
    world.note(`the stale owner logs: ${line}`)
  }),
}
