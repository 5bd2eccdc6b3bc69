/** Keeps a number of simulated Call of Duty matches running, for the demo. `playMatches.ts` plays them. */
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { Context, Layer } from "effect"
import type { SimulatedOptions } from "../../simulated/playMatches.ts"
import { runSimulation, type Simulation } from "../../simulated/runSimulation.ts"
import { simulatedCod } from "./simulatedCod.ts"

export class SimulatedCodFeed extends Context.Service<SimulatedCodFeed, Simulation>()(
  "@matchpoint/service-feed/cod/simulated/SimulatedCodFeed",
) {
  static readonly layer = (options: SimulatedOptions = {}) =>
    Layer.effect(SimulatedCodFeed, runSimulation(simulatedCod, "Call of Duty", options)).pipe(Layer.provide(FeedWriter.layer))
}
