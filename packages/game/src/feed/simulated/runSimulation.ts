/** Runs the simulated matches of a game, for the demo. `playMatches.ts` plays them. */
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Latch } from "effect"
import { playMatches, type SimulatedOptions, type SimulatedProgress } from "./playMatches.ts"
import type { SimulatedGame } from "./SimulatedGame.ts"

export interface Simulation {
  /** Waits until FEED contains all facts of the first matches up to the present, also while the database or the log is away. */
  readonly caughtUp: Effect.Effect<void>
}

/** For the lifetime of the scope. Waits for the database and the event log. `title` names the game in logs. */
export const runSimulation = Effect.fnUntraced(function* (game: SimulatedGame, title: string, options: SimulatedOptions) {
  const progress = new Map<MatchId, SimulatedProgress>()
  const caughtUp = yield* Latch.make()
  yield* playMatches(game, options, progress, () => caughtUp.openUnsafe()).pipe(
    Effect.tapDefect((defect) => Effect.logError(`the simulated ${title} feed stopped`, defect)),
    Effect.forkScoped,
  )
  return { caughtUp: caughtUp.await } satisfies Simulation
})
