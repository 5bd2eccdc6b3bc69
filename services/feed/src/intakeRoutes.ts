/**
 * HTTP routes of the intake, the service that receives events from feeds. To add a game, add its `GameFeed` and the
 * handlers of its own endpoints.
 */
import { FeedApi } from "@matchpoint/contracts/http/FeedApi"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apexFeed } from "./apex/intake/apexFeed.ts"
import { codFeed } from "./cod/intake/codFeed.ts"
import { cs2Feed } from "./cs2/intake/cs2Feed.ts"
import { Cs2FeedHandlers } from "./cs2/intake/cs2FeedHandlers.ts"
import { QuoteWriter } from "./cs2/odds/QuoteWriter.ts"
import type { GameFeed } from "./GameFeed.ts"
import { intakeServices } from "./intake/FeedIntake.ts"
import { FactsHandlers } from "./intake/feedHandlers.ts"
import { tennisFeed } from "./tennis/intake/tennisFeed.ts"

/** Games whose events are accepted by default. */
const productFeeds: ReadonlyArray<GameFeed> = [apexFeed, codFeed, cs2Feed, tennisFeed]

/** Builds the routes under `/feed/v1`. They require EventLog, Matches, Checkpoints, Rejections and FeedConfig. */
export const intakeRoutes = (feeds = productFeeds) =>
  HttpApiBuilder.layer(FeedApi, { openapiPath: "/feed/openapi.json" }).pipe(
    Layer.provide([FactsHandlers, Cs2FeedHandlers]),
    Layer.provide([intakeServices(feeds), QuoteWriter.layer]),
  )
