/** The intake of facts over HTTP, ready for a router: needs the log, the register of matches, the record of refusals and a token. */
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { FeedApi } from "@matchpoint/contracts/http/FeedApi"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiMiddleware } from "effect/http-api"
import { MatchRegistrar } from "../cs2/intake/MatchRegistrar.ts"
import { FeedAppender } from "../FeedAppender.ts"
import { FeedToken } from "./FeedToken.ts"
import { FeedHandlers } from "./feedHandlers.ts"
import { MatchSessions } from "./MatchSessions.ts"

/** Bodies are read by the handlers; paths and queries by the contract. */
const RequestRulesLayer = HttpApiMiddleware.layerSchemaErrorTransform(RequestRules, (error) =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(ValidationError.because("the request does not fit the contract", { issue: error.cause.message.slice(0, 2_000) })),
)

/** Routes under `/feed/v1`. Requires EventLog, Matches, Checkpoints, Rejections and FeedConfig. */
export const FeedIntakeRoutes = HttpApiBuilder.layer(FeedApi, { openapiPath: "/feed/openapi.json" }).pipe(
  Layer.provide(FeedHandlers),
  Layer.provide([RequestRulesLayer, FeedToken.layer, MatchSessions.layer]),
  Layer.provide(MatchRegistrar.layer),
  Layer.provide(FeedAppender.layer),
)
