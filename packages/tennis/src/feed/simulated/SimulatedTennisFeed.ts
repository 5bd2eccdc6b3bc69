import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { SimulatedOptions } from "@matchpoint/game/feed/simulated/playMatches"
import { runSimulation, type Simulation } from "@matchpoint/game/feed/simulated/runSimulation"
import { Context, Layer } from "effect"
import { simulatedTennis } from "./simulatedTennis.ts"

export class SimulatedTennisFeed extends Context.Service<SimulatedTennisFeed, Simulation>()(
  "@matchpoint/tennis/feed/simulated/SimulatedTennisFeed",
) {
  static readonly layer = (options: SimulatedOptions = {}) =>
    Layer.effect(SimulatedTennisFeed, runSimulation(simulatedTennis, "tennis", options)).pipe(Layer.provide(FeedWriter.layer))
}
