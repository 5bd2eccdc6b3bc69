/** The games whose facts the intake accepts. */
import { apexFeed } from "@matchpoint/apex/feed/intake/apexFeed"
import { codFeed } from "@matchpoint/cod/feed/intake/codFeed"
import { cs2Feed } from "@matchpoint/cs2/feed/intake/cs2Feed"
import { Cs2FeedHandlers } from "@matchpoint/cs2/feed/intake/cs2FeedHandlers"
import { QuoteWriter } from "@matchpoint/cs2/feed/odds/QuoteWriter"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { tennisFeed } from "@matchpoint/tennis/feed/intake/tennisFeed"
import { Layer } from "effect"

export const gameFeeds: ReadonlyArray<GameFeed> = [apexFeed, codFeed, cs2Feed, tennisFeed]

/** Endpoints that only one game has. */
export const GameFeedHandlers = Cs2FeedHandlers.pipe(Layer.provide(QuoteWriter.layer))
