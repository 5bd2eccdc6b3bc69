/**
 * HTTP routes of the intake, the service that receives events from feeds. To add a game, add its `GameFeed` and the
 * handlers of its own endpoints.
 */
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { FeedApi } from "@matchpoint/games/api/FeedApi"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apexFeed } from "@matchpoint/apex/feed/intake/apexFeed"
import { codFeed } from "@matchpoint/cod/feed/intake/codFeed"
import { cs2Feed } from "@matchpoint/cs2/feed/intake/cs2Feed"
import { Cs2FeedHandlers } from "@matchpoint/cs2/feed/intake/cs2FeedHandlers"
import { QuoteWriter } from "@matchpoint/cs2/feed/odds/QuoteWriter"
import { sessionDefaults } from "@matchpoint/game/feed/FeedConfig"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { GameFeeds } from "./GameFeeds.ts"
import { forwardedSessions } from "./intake/cluster/forwardedSessions.ts"
import { partitionIntakeLayer } from "./intake/cluster/partitionIntakeLayer.ts"
import { intakeServices } from "./intake/FeedIntake.ts"
import { FactsHandlers } from "./intake/feedHandlers.ts"
import { MatchRegistrar } from "./intake/MatchRegistrar.ts"
import { MatchSessions } from "./intake/MatchSessions.ts"
import { tennisFeed } from "@matchpoint/tennis/feed/intake/tennisFeed"

/** Games whose events are accepted by default. */
export const productFeeds: ReadonlyArray<GameFeed> = [apexFeed, codFeed, cs2Feed, tennisFeed]

/** Builds the routes under `/feed/v1`. They require EventLog, Matches, Checkpoints, Rejections and FeedConfig. */
export const intakeRoutes = (feeds = productFeeds) => routesWith(feeds, MatchSessions.layer)

/** Like `intakeRoutes`, but for a process of a cluster: the requests of a match go to the process that runs it. */
export const forwardingRoutes = () => routesWith(productFeeds, forwardedSessions)

/**
 * Takes the requests that other processes of the cluster forward to this one. Facts are stored within a time that leaves the
 * feed process enough of its time limit.
 */
export const forwardedIntake = partitionIntakeLayer.pipe(
  Layer.provide(MatchSessions.layerWith({ ...sessionDefaults, storesWithin: "1 second" })),
  Layer.provide(MatchRegistrar.layer),
  Layer.provide(FeedWriter.layer),
  Layer.provide(GameFeeds.layer(productFeeds)),
)

const routesWith = <R>(feeds: ReadonlyArray<GameFeed>, sessions: Layer.Layer<MatchSessions, never, R>) =>
  HttpApiBuilder.layer(FeedApi, { openapiPath: "/feed/openapi.json" }).pipe(
    Layer.provide([FactsHandlers, Cs2FeedHandlers]),
    Layer.provide([intakeServices(feeds, sessions), QuoteWriter.layer]),
  )
