/** Simulated matches of all games. To add a game, add its simulated feed here. */
import { Layer } from "effect"
import { SimulatedApexFeed } from "./apex/simulated/SimulatedApexFeed.ts"
import { SimulatedCodFeed } from "./cod/simulated/SimulatedCodFeed.ts"
import { SimulatedFeed } from "./cs2/simulated/SimulatedFeed.ts"
import { SimulatedOdds } from "./cs2/simulated/SimulatedOdds.ts"
import { SimulatedTennisFeed } from "./tennis/simulated/SimulatedTennisFeed.ts"

export interface SimulatedGamesOptions {
  /** Number of matches of CS2. Other games have as many or fewer. */
  readonly matches: number
  /** Speed as a multiple of real time, or "max" to play without waiting. */
  readonly speed: number | "max"
}

export const simulatedGames = ({ matches, speed }: SimulatedGamesOptions) =>
  Layer.mergeAll(
    SimulatedApexFeed.layer({ matches: Math.ceil(matches / 4), speed }),
    SimulatedOdds.layer.pipe(Layer.provideMerge(SimulatedFeed.layer({ matches, speed }))),
    // Facts of Call of Duty are frequent, so a match in progress at the start is not far advanced.
    SimulatedCodFeed.layer({ matches: Math.ceil(matches / 2), speed, stagger: "12 minutes" }),
    SimulatedTennisFeed.layer({ matches, speed, stagger: "1 hour" }),
  )
