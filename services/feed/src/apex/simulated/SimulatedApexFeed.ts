/** Keeps a number of simulated Apex lobbies running, for the demo. `playMatches.ts` plays them. */
import type { EventLog } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Matches } from "@matchpoint/store/live/Matches"
import { Context, Effect, Latch, Layer } from "effect"
import { playMatches, type SimulatedOptions, type SimulatedProgress } from "../../simulated/playMatches.ts"
import { simulatedApex } from "./simulatedApex.ts"

export class SimulatedApexFeed extends Context.Service<
  SimulatedApexFeed,
  {
    /**
     * Waits until the FEED stream contains all events of the first lobbies up to the present. Keeps waiting while the
     * database or the event log is unavailable.
     */
    readonly caughtUp: Effect.Effect<void>
  }
>()("@matchpoint/service-feed/apex/simulated/SimulatedApexFeed") {
  /**
   * Plays lobbies for the lifetime of the layer. The layer starts even if the database or the event log is unavailable,
   * and playback waits for them.
   */
  static readonly layer = (options: SimulatedOptions = {}): Layer.Layer<SimulatedApexFeed, never, EventLog | Matches> =>
    Layer.effect(
      SimulatedApexFeed,
      Effect.gen(function* () {
        const progress = new Map<MatchId, SimulatedProgress>()
        const caughtUp = yield* Latch.make()
        yield* playMatches(simulatedApex, options, progress, () => caughtUp.openUnsafe()).pipe(
          Effect.tapDefect((defect) => Effect.logError("the simulated Apex feed stopped", defect)),
          Effect.forkScoped,
        )
        return SimulatedApexFeed.of({ caughtUp: caughtUp.await })
      }),
    ).pipe(Layer.provide(FeedWriter.layer))
}
