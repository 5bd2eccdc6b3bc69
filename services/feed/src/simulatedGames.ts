/** Simulated matches of all games. To add a game, add its simulated feed here. */
import { Layer } from "effect"
import { SimulatedApexFeed } from "@matchpoint/apex/feed/simulated/SimulatedApexFeed"
import { SimulatedCodFeed } from "@matchpoint/cod/feed/simulated/SimulatedCodFeed"
import { SimulatedFeed } from "@matchpoint/cs2/feed/simulated/SimulatedFeed"
import { SimulatedOdds } from "@matchpoint/cs2/feed/simulated/SimulatedOdds"
import { SimulatedTennisFeed } from "@matchpoint/tennis/feed/simulated/SimulatedTennisFeed"

export interface SimulatedGamesOptions {
  /** Number of matches of CS2. Other games have as many or fewer. */
  readonly matches: number
  /** Speed as a multiple of real time, or "max" to play without waiting. */
  readonly speed: number | "max"
}

/** Number of matches of each game for a number of matches of CS2. */
export const simulatedMatchesOf = (matches: number) => ({
  cs2: matches,
  tennis: matches,
  cod: Math.ceil(matches / 2),
  apex: Math.ceil(matches / 4),
})

export const simulatedGames = ({ matches, speed }: SimulatedGamesOptions) => {
  const { apex, cod, cs2, tennis } = simulatedMatchesOf(matches)
  return Layer.mergeAll(
    SimulatedApexFeed.layer({ matches: apex, speed }),
    SimulatedOdds.layer.pipe(Layer.provideMerge(SimulatedFeed.layer({ matches: cs2, speed }))),
    // Facts of Call of Duty are frequent, so a match in progress at the start is not far advanced.
    SimulatedCodFeed.layer({ matches: cod, speed, stagger: "12 minutes" }),
    SimulatedTennisFeed.layer({ matches: tennis, speed, stagger: "1 hour" }),
  )
}
