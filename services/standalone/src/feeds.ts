/** Where the standalone's facts come from: simulated matches, and real servers over HTTP. */
import { FeedConfig } from "@matchpoint/service-feed/FeedConfig"
import { FeedIntakeRoutes } from "@matchpoint/service-feed/intake/FeedIntake"
import { SimulatedFeed } from "@matchpoint/service-feed/simulated/SimulatedFeed"
import { Effect, Layer, Option, Redacted } from "effect"
import { devFeedToken } from "./devKeys.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const SimulationLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ simulatedMatches, simulationSpeed }) =>
    simulatedMatches === 0 ? Layer.empty : SimulatedFeed.layer({ matches: simulatedMatches, speed: simulationSpeed }),
  ),
)

/** `/feed/v1`. Without a token nobody is let in: on a database of its own the server has no secret that everyone knows. */
export const FeedRoutes = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl, feedToken, publicUrl }) => {
    const token = Option.isSome(feedToken) || Option.isSome(databaseUrl) ? feedToken : Option.some(Redacted.make(devFeedToken))
    return Option.match(token, {
      onNone: () => Layer.empty,
      onSome: (secret) => FeedIntakeRoutes.pipe(Layer.provide(FeedConfig.layer({ token: secret, publicUrl: Option.getOrNull(publicUrl) }))),
    })
  }),
)
