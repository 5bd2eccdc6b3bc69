/**
 * Suspends the markets of what is decided: looks at the newest frame of every live match that has a market which is not. It reads frames
 * and writes markets; prices are nobody's here. What is quoted after the decision `OddsFeed` knows by itself.
 */
import { OddsRecorder } from "@matchpoint/store/cs2/odds/OddsRecorder"
import { Effect, Layer } from "effect"
import { decisionsOf } from "./decisions.ts"

/** A decided map is suspended within this. */
const LOOK_EVERY = "5 seconds"

/** One look at all of them. */
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
      Effect.catchCause((cause) => Effect.logWarning("odds markets could not be looked after; again soon", cause)),
      Effect.delay(LOOK_EVERY),
      Effect.forever,
      Effect.forkScoped,
    ),
  )
}
