import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { SimulatedOptions } from "@matchpoint/game/feed/simulated/playMatches"
import { runSimulation, type Simulation } from "@matchpoint/game/feed/simulated/runSimulation"
import { Context, Layer } from "effect"
import { simulatedApex } from "./simulatedApex.ts"

export class SimulatedApexFeed extends Context.Service<SimulatedApexFeed, Simulation>()(
  "@matchpoint/apex/feed/simulated/SimulatedApexFeed",
) {
  static readonly layer = (options: SimulatedOptions = {}) =>
    Layer.effect(SimulatedApexFeed, runSimulation(simulatedApex, "Apex", options)).pipe(Layer.provide(FeedWriter.layer))
}
