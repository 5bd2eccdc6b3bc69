/**
 * Suspends the markets on decided maps and series. Periodically checks the newest frame of every live match with
 * markets that are not suspended yet. Never changes prices. `OddsFeed` handles quotes that arrive after the decision.
 */
import { Effect, Layer } from "effect"
import { OddsRecorder } from "../../archive/odds/OddsRecorder.ts"
import { decisionsOf } from "./decisions.ts"

/** Interval of the checks, and the longest time for which a market stays open after its map was decided. */
const LOOK_EVERY = "5 seconds"

/** Checks all matches that have undecided markets once. */
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
