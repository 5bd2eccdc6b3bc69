import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import type { SimulatedOptions } from "@matchpoint/game/feed/simulated/playMatches"
import { runSimulation, type Simulation } from "@matchpoint/game/feed/simulated/runSimulation"
import { Context, Layer } from "effect"
import { simulatedCod } from "./simulatedCod.ts"

export class SimulatedCodFeed extends Context.Service<SimulatedCodFeed, Simulation>()("@matchpoint/cod/feed/simulated/SimulatedCodFeed") {
  static readonly layer = (options: SimulatedOptions = {}) =>
    Layer.effect(SimulatedCodFeed, runSimulation(simulatedCod, "Call of Duty", options)).pipe(Layer.provide(FeedWriter.layer))
}
