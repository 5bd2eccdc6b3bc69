/** Keeps a number of simulated CS2 matches running, for the demo. `playMatches.ts` plays them. */
import type { EventLog } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { MatchId } from "@matchpoint/domain/ids"
import { playMatches, type SimulatedOptions, type SimulatedProgress } from "@matchpoint/game/feed/simulated/playMatches"
import type { Matches } from "@matchpoint/store/live/Matches"
import { Context, Effect, Latch, Layer } from "effect"
import { simulatedCs2 } from "./SimulatedMatch.ts"

export class SimulatedFeed extends Context.Service<
  SimulatedFeed,
  {
    /** In the order of their match numbers. */
    readonly running: Effect.Effect<ReadonlyArray<SimulatedProgress>>
    /** Waits until FEED contains all facts of the first matches up to now, even while database or log are unavailable. */
    readonly caughtUp: Effect.Effect<void>
  }
>()("@matchpoint/cs2/feed/simulated/SimulatedFeed") {
  /** The layer starts even if the database or the event log is unavailable, and playback waits for them. */
  static readonly layer = (options: SimulatedOptions = {}): Layer.Layer<SimulatedFeed, never, EventLog | Matches> =>
    Layer.effect(
      SimulatedFeed,
      Effect.gen(function* () {
        const progress = new Map<MatchId, SimulatedProgress>()
        const caughtUp = yield* Latch.make()
        yield* playMatches(simulatedCs2(options.matches ?? 4), options, progress, () => caughtUp.openUnsafe()).pipe(
          Effect.tapDefect((defect) => Effect.logError("the simulated feed stopped", defect)),
          Effect.forkScoped,
        )
        return SimulatedFeed.of({
          caughtUp: caughtUp.await,
          running: Effect.sync(() => [...progress.values()].sort((one, two) => byNumber(one.matchId, two.matchId))),
        })
      }),
    ).pipe(Layer.provide(FeedWriter.layer))
}

const byNumber = (one: MatchId, two: MatchId): number => one.localeCompare(two, "en", { numeric: true })
