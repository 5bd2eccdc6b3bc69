/**
 * Suspends markets that are decided. Checks the newest frame of every live match with markets that are not suspended
 * yet. It reads frames and writes markets, never prices. `OddsFeed` handles quotes that arrive after the decision.
 */
import { OddsRecorder } from "@matchpoint/store/cs2/odds/OddsRecorder"
import { Effect, Layer } from "effect"
import { decisionsOf } from "./decisions.ts"

/** Interval between checks, and thus the longest time until a decided map is suspended. */
const LOOK_EVERY = "5 seconds"

/** Checks all matches once. */
export const look = Effect.gen(function* () {
  const recorder = yield* OddsRecorder
  for (const number of yield* recorder.undecidedMatches) {
    const decisions = yield* decisionsOf(number)
    if (decisions === undefined) continue
    for (const map of decisions.maps) yield* recorder.decide(number, map, decisions.at)
    if (decisions.series) yield* recorder.decide(number, undefined, decisions.at)
  }
})

export class OddsWatch {
  static readonly layer = Layer.effectDiscard(
    look.pipe(
      Effect.catchCause((cause) => Effect.logWarning("cannot check odds markets for decided maps and series; retrying", cause)),
      Effect.delay(LOOK_EVERY),
      Effect.forever,
      Effect.forkScoped,
    ),
  )
}
