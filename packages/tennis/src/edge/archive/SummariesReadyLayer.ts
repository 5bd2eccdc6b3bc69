/** Server side of the contract's `SummariesReady` middleware. Reads the state of the summaries every few seconds. */
import { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { Effect, Layer } from "effect"
import { SummaryProgress } from "../../archive/summaries/SummaryProgress.ts"
import { SummariesReady } from "../../contract/http/SummariesReady.ts"
import { summariesMessage } from "./summariesMessage.ts"

/** An import can remove the summaries of simulated tours, so the state is never kept forever. */
const KEPT_FOR = "5 seconds"

export const SummariesReadyLayer = Layer.effect(
  SummariesReady,
  Effect.gen(function* () {
    const { read } = yield* SummaryProgress
    // If the database does not respond, the handlers report it.
    const missing = read.pipe(
      Effect.map((progress) => (progress.state === "missing" ? summariesMessage(progress) : null)),
      Effect.orElseSucceed(() => null),
    )
    const kept = yield* Effect.cachedWithTTL(missing, KEPT_FOR)
    return SummariesReady.of((answering) =>
      Effect.gen(function* () {
        const message = yield* kept
        return yield* message === null ? answering : ServiceUnavailable.because(message)
      }),
    )
  }),
)
