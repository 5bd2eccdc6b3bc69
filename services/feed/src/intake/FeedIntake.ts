/** The services that every endpoint of the intake needs. The intake receives facts over HTTP. */
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { GameFeeds } from "../GameFeeds.ts"
import { FeedTokenLayer } from "./FeedTokenLayer.ts"
import { IntakeLayer } from "./IntakeLayer.ts"
import { MatchRegistrar } from "./MatchRegistrar.ts"
import type { MatchSessions } from "./MatchSessions.ts"

/** Validates the path and query. The handlers validate the bodies. */
const RequestRulesLayer = HttpApiMiddleware.layerSchemaErrorTransform(RequestRules, (error) =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(ValidationError.because("the request does not match the contract", { issue: error.cause.message.slice(0, 2_000) })),
)

/** Require EventLog, Matches, Checkpoints, Rejections and FeedConfig, and what `sessions` requires. */
export const intakeServices = <R>(feeds: ReadonlyArray<GameFeed>, sessions: Layer.Layer<MatchSessions, never, R>) =>
  Layer.mergeAll(IntakeLayer, FeedTokenLayer, RequestRulesLayer).pipe(
    Layer.provide(sessions),
    Layer.provide(MatchRegistrar.layer),
    Layer.provide(FeedWriter.layer),
    Layer.provideMerge(GameFeeds.layer(feeds)),
  )
