/** Where the standalone's facts come from: simulated matches, and real servers over HTTP. */
import { SimulatedFeed } from "@matchpoint/service-feed/simulated/SimulatedFeed"
import { Effect, Layer } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const SimulationLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ simulatedMatches, simulationSpeed }) =>
    simulatedMatches === 0 ? Layer.empty : SimulatedFeed.layer({ matches: simulatedMatches, speed: simulationSpeed }),
  ),
)
