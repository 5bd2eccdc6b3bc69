/** HTTP routes of the intake. Each game adds two lines: one for its `GameFeed` and one for its own endpoints. */
import { FeedApi } from "@matchpoint/contracts/http/FeedApi"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { cs2Feed } from "./cs2/intake/cs2Feed.ts"
import { Cs2FeedHandlers } from "./cs2/intake/cs2FeedHandlers.ts"
import { QuoteWriter } from "./cs2/odds/QuoteWriter.ts"
import type { GameFeed } from "./GameFeed.ts"
import { intakeServices } from "./intake/FeedIntake.ts"
import { FactsHandlers } from "./intake/feedHandlers.ts"

/** Games whose facts are accepted by default. */
const productFeeds: ReadonlyArray<GameFeed> = [cs2Feed]

/** Builds the routes under `/feed/v1`. They require EventLog, Matches, Checkpoints, Rejections and FeedConfig. */
export const intakeRoutes = (feeds = productFeeds) =>
  HttpApiBuilder.layer(FeedApi, { openapiPath: "/feed/openapi.json" }).pipe(
    Layer.provide([FactsHandlers, Cs2FeedHandlers]),
    Layer.provide([intakeServices(feeds), QuoteWriter.layer]),
  )
