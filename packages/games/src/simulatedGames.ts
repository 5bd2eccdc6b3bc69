import { SimulatedApexFeed } from "@matchpoint/apex/feed/simulated/SimulatedApexFeed"
import { SimulatedCodFeed } from "@matchpoint/cod/feed/simulated/SimulatedCodFeed"
import { cs2RoomOf } from "@matchpoint/cs2/edge/live/Cs2Views"
import { SimulatedFeed } from "@matchpoint/cs2/feed/simulated/SimulatedFeed"
import { SimulatedOdds } from "@matchpoint/cs2/feed/simulated/SimulatedOdds"
import type { Simulation } from "@matchpoint/game/feed/simulated/runSimulation"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { SimulatedTennisFeed } from "@matchpoint/tennis/feed/simulated/SimulatedTennisFeed"
import { Context, Effect, Layer } from "effect"

export interface SimulatedGamesOptions {
  /** Matches of CS2. Other games have as many or fewer. */
  readonly matches: number
  /** Multiple of real time, or "max" to play without waiting. */
  readonly speed: number | "max"
}

/** `matches` is the number of CS2. */
export const simulatedMatchesOf = (matches: number) => ({
  cs2: matches,
  tennis: matches,
  cod: Math.ceil(matches / 2),
  apex: Math.ceil(matches / 4),
})

const feeds = [SimulatedApexFeed, SimulatedCodFeed, SimulatedFeed, SimulatedTennisFeed] as const

export class SimulatedGames extends Context.Service<SimulatedGames, Simulation>()("@matchpoint/games/simulatedGames") {
  static readonly layer = ({ matches, speed }: SimulatedGamesOptions) => {
    const counts = simulatedMatchesOf(matches)
    const running = Layer.mergeAll(
      SimulatedApexFeed.layer({ matches: counts.apex, speed }),
      SimulatedOdds.layer.pipe(Layer.provideMerge(SimulatedFeed.layer({ matches: counts.cs2, speed }))),
      // Facts of Call of Duty are frequent, so a match in progress at the start is not far advanced.
      SimulatedCodFeed.layer({ matches: counts.cod, speed, stagger: "12 minutes" }),
      SimulatedTennisFeed.layer({ matches: counts.tennis, speed, stagger: "1 hour" }),
    )
    const caughtUp = Effect.map(Effect.all(feeds), (simulations) =>
      SimulatedGames.of({
        caughtUp: Effect.all(
          simulations.map(({ caughtUp }) => caughtUp),
          { discard: true },
        ),
      }),
    )
    return Layer.effect(SimulatedGames, caughtUp).pipe(Layer.provide(running))
  }
}

/** Live matches of CS2 that have a completed round to show. */
export const matchesShown = (rooms: LiveRooms): number =>
  rooms.live().filter((room) => (cs2RoomOf(room)?.views?.match.rounds.length ?? 0) > 0).length
