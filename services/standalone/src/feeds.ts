/** Feeds of the standalone process: simulated matches, and the intake for game servers. */
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { FeedToken, permitFact } from "@matchpoint/game/feed/intake/FeedToken"
import { SampleArchives } from "@matchpoint/game/sample/SampleArchives"
import type { Repositories } from "@matchpoint/games/Repositories"
import { samples } from "@matchpoint/games/samples"
import { matchesShown, SimulatedGames } from "@matchpoint/games/simulatedGames"
import { FeedTokenLayer } from "@matchpoint/service-feed/intake/FeedTokenLayer"
import { intakeRoutes } from "@matchpoint/service-feed/intakeRoutes"
import { feedSettings } from "@matchpoint/service-feed/process/feedSettings"
import { RpcConfig, type RpcSettings } from "@matchpoint/service-gateway/rpc/RpcConfig"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { devFeedToken } from "./devKeys.ts"
import { feedOffRoutes } from "./feedOffRoutes.ts"
import { StandaloneConfig, type StandaloneSettings } from "./StandaloneConfig.ts"

export const SimulationLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ simulatedMatches, simulationSpeed }) =>
    simulatedMatches === 0 ? Layer.empty : SimulatedGames.layer({ matches: simulatedMatches, speed: simulationSpeed }),
  ),
)

/**
 * Delays the startup, by 15 seconds at most, until every simulated match is visible with at least one completed round,
 * so that the first response already contains these matches.
 */
export const SimulationShown = Layer.effectDiscard(
  Effect.gen(function* () {
    const simulated = yield* Effect.serviceOption(SimulatedGames)
    const { simulatedMatches } = yield* StandaloneConfig
    const { rooms } = (yield* LiveHub).realtime
    if (Option.isNone(simulated)) return
    yield* simulated.value.caughtUp
    const shown = Effect.sync(() => matchesShown(rooms))
    yield* shown.pipe(Effect.repeat({ until: (count) => count >= simulatedMatches, schedule: Schedule.spaced("20 millis") }))
  }).pipe(Effect.timeoutOption("15 seconds")),
)

type Stores = Layer.Success<typeof Repositories.layer>

/** Simulated seasons for empty archives, if matches are simulated and the database is the embedded one. */
export const SampleLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl, simulatedMatches }) =>
    simulatedMatches === 0 || Option.isSome(databaseUrl) ? SampleArchives.layer<never>([]) : SampleArchives.layer<Stores>(samples),
  ),
)

/** `null` if the intake is off. With a PostgreSQL database, the public development token is never valid. */
const tokenOf = ({ databaseUrl, feedToken }: StandaloneSettings): Redacted.Redacted<string> | null =>
  Option.getOrElse(feedToken, () => (Option.isSome(databaseUrl) ? null : Redacted.make(devFeedToken)))

export const isFeedOff = (settings: StandaloneSettings): boolean => tokenOf(settings) === null

/** The routes of `/feed/v1`. */
export const FeedRoutes = Layer.unwrap(
  Effect.map(StandaloneConfig, (settings) => {
    const token = tokenOf(settings)
    return token === null ? feedOffRoutes : intakeRoutes().pipe(Layer.provide(feedSettings(token, settings)))
  }),
)

/** Facts through the gateway's RPC endpoint need the same token. */
export const RpcFeedToken = Layer.unwrap(
  Effect.map(StandaloneConfig, (settings) => {
    const token = tokenOf(settings)
    if (token === null) return Layer.empty
    return Layer.effect(
      RpcConfig,
      Effect.gen(function* () {
        const feedToken = yield* FeedToken
        const defaults = yield* RpcConfig
        const check = (given: Redacted.Redacted<string>, address: string) => feedToken.check(address, [Redacted.value(given)])
        return {
          ...defaults,
          isFeedToken: (given: Redacted.Redacted<string>, address: string) =>
            check(given, address).pipe(
              Effect.as(true),
              Effect.catch(({ error: { code, message } }) =>
                code === "INVALID_FEED_TOKEN" ? Effect.succeed(false) : Effect.fail(message),
              ),
            ),
          notPermitted: (given: Redacted.Redacted<string>, address: string, fact: Parameters<RpcSettings["notPermitted"]>[2]) =>
            check(given, address).pipe(
              Effect.flatMap((grant) => permitFact(grant, fact)),
              Effect.as(undefined),
              Effect.mapError(({ error }) => error.message),
            ),
        }
      }),
    ).pipe(Layer.provide(FeedTokenLayer), Layer.provide(feedSettings(token, settings)))
  }),
)
