/** HTTP routes of the intake, for the games of `packages/games/src/feeds.ts`. */
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { sessionDefaults } from "@matchpoint/game/feed/FeedConfig"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { FeedApi } from "@matchpoint/games/api/FeedApi"
import { GameFeedHandlers, gameFeeds } from "@matchpoint/games/feeds"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { GameFeeds } from "./GameFeeds.ts"
import { forwardedSessions } from "./intake/cluster/forwardedSessions.ts"
import { partitionIntakeLayer } from "./intake/cluster/partitionIntakeLayer.ts"
import { intakeServices } from "./intake/FeedIntake.ts"
import { FactsHandlers } from "./intake/feedHandlers.ts"
import { MatchRegistrar } from "./intake/MatchRegistrar.ts"
import { MatchSessions } from "./intake/MatchSessions.ts"

/** Under `/feed/v1`. They require EventLog, Matches, Checkpoints, Rejections and FeedConfig. */
export const intakeRoutes = (feeds = gameFeeds) => routesWith(feeds, MatchSessions.layer)

/** Routes in a process of a cluster: the requests of a match go to the process that runs it. */
export const forwardingRoutes = () => routesWith(gameFeeds, forwardedSessions)

/**
 * Requests that other processes forward to this one. Facts are stored within a time that leaves the feed process enough
 * of its time limit.
 */
export const forwardedIntake = partitionIntakeLayer.pipe(
  Layer.provide(MatchSessions.layerWith({ ...sessionDefaults, storesWithin: "1 second" })),
  Layer.provide(MatchRegistrar.layer),
  Layer.provide(FeedWriter.layer),
  Layer.provide(GameFeeds.layer(gameFeeds)),
)

const routesWith = <R>(feeds: ReadonlyArray<GameFeed>, sessions: Layer.Layer<MatchSessions, never, R>) =>
  HttpApiBuilder.layer(FeedApi, { openapiPath: "/feed/openapi.json" }).pipe(
    Layer.provide([FactsHandlers, GameFeedHandlers]),
    Layer.provide(intakeServices(feeds, sessions)),
  )
