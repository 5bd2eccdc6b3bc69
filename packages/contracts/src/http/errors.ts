/**
 * Errors of the HTTP APIs in their wire format, `{ success: false, error: { code, message, details? } }`. The code
 * determines the HTTP status. `details` has a schema if programs can act on it. `problem.ts` converts the errors to
 * problem details.
 */
import { AddOn, Feature, Game, Plan, planReaching, plansSelling, plansWith, planTerms } from "@matchpoint/domain/plans"
import { Schema } from "effect"
import type { Announcement } from "./announced/Announced.ts"
import { quotaMessage } from "./quotaMessage.ts"
import { UnavailableReason, VideoReason } from "./transcripts/transcriptModels.ts"

const errorBody = <Code extends string>(code: Code) =>
  Schema.Struct({
    success: Schema.Literal(false),
    error: Schema.Struct({ code: Schema.Literal(code), message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
  })

const detailedBody = <Code extends string, Details extends Schema.Top>(code: Code, details: Details) =>
  Schema.Struct({
    success: Schema.Literal(false),
    error: Schema.Struct({ code: Schema.Literal(code), message: Schema.String, details }),
  })

/** The only list of error codes in the project. */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  VIDEO_REJECTED: 400,
  INVALID_API_KEY: 401,
  INVALID_FEED_TOKEN: 401,
  INVALID_ADMIN_TOKEN: 401,
  FEED_TOKEN_SCOPE: 403,
  PLAN_REQUIRED: 403,
  GAME_NOT_INCLUDED: 403,
  HISTORY_LIMIT: 403,
  NOT_FOUND: 404,
  NOT_COVERED: 404,
  MATCH_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  MATCH_OVER: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNKNOWN_VALUE: 422,
  UPGRADE_REQUIRED: 426,
  RATE_LIMIT_EXCEEDED: 429,
  TOO_MANY_CONNECTIONS: 429,
  TOO_MANY_HANDSHAKES: 429,
  TOO_MANY_REPLAYS: 429,
  TOO_MANY_TRANSCRIPTS: 429,
  INTERNAL_ERROR: 500,
  NOT_YET_AVAILABLE: 501,
  SERVICE_UNAVAILABLE: 503,
  TRANSCRIPTION_UNAVAILABLE: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

export class ValidationError extends Schema.Error<ValidationError>("ValidationError")(errorBody("VALIDATION_ERROR"), {
  httpApiStatus: errorStatus.VALIDATION_ERROR,
  description: "The request does not match the contract; `details` name the part that does not",
}) {
  static readonly because = (message: string, details?: unknown) => new ValidationError(body("VALIDATION_ERROR", message, details))
}

export class InvalidApiKey extends Schema.Error<InvalidApiKey>("InvalidApiKey")(errorBody("INVALID_API_KEY"), {
  httpApiStatus: errorStatus.INVALID_API_KEY,
  description: "The API key is missing, unknown, expired or revoked",
}) {
  static readonly because = (message: string) => new InvalidApiKey(body("INVALID_API_KEY", message))
}

export class InvalidFeedToken extends Schema.Error<InvalidFeedToken>("InvalidFeedToken")(errorBody("INVALID_FEED_TOKEN"), {
  httpApiStatus: errorStatus.INVALID_FEED_TOKEN,
  description: "The feed token is missing or wrong",
}) {
  static readonly because = (message: string) => new InvalidFeedToken(body("INVALID_FEED_TOKEN", message))
}

export class FeedTokenScope extends Schema.Error<FeedTokenScope>("FeedTokenScope")(errorBody("FEED_TOKEN_SCOPE"), {
  httpApiStatus: errorStatus.FEED_TOKEN_SCOPE,
  description: "The feed token is limited to another match or source, or the request needs the token without a scope",
}) {
  static readonly because = (message: string) => new FeedTokenScope(body("FEED_TOKEN_SCOPE", message))
}

export class InvalidAdminToken extends Schema.Error<InvalidAdminToken>("InvalidAdminToken")(errorBody("INVALID_ADMIN_TOKEN"), {
  httpApiStatus: errorStatus.INVALID_ADMIN_TOKEN,
  description: "The admin token is missing or wrong",
}) {
  static readonly because = (message: string) => new InvalidAdminToken(body("INVALID_ADMIN_TOKEN", message))
}

/** `plans` include the feature; on the plans `addOnOf`, it is an add-on. */
const Needed = Schema.Struct({ feature: Feature, plan: Plan, plans: Schema.Array(Plan), addOnOf: Schema.Array(Plan) })

const isAddOn = Schema.is(AddOn)

export class PlanRequired extends Schema.Error<PlanRequired>("PlanRequired")(detailedBody("PLAN_REQUIRED", Needed), {
  httpApiStatus: errorStatus.PLAN_REQUIRED,
  description: "Your plan does not include this feature; `details` name the plans that do",
}) {
  static readonly of = (feature: Feature, plan: Plan) => {
    const plans = plansWith(feature)
    const addOnOf = isAddOn(feature) ? plansSelling(feature) : []
    const orAddOn = addOnOf.length === 0 ? "" : `, or the add-on ${feature} on ${addOnOf.join(" or ")}`
    const message = `${feature} needs plan ${plans[0] ?? "enterprise"} or higher${orAddOn}; your plan is ${plan}`
    return new PlanRequired(body("PLAN_REQUIRED", message, { feature, plan, plans, addOnOf }))
  }
}

export class GameNotIncluded extends Schema.Error<GameNotIncluded>("GameNotIncluded")(
  detailedBody("GAME_NOT_INCLUDED", Schema.Struct({ game: Game, chosen: Schema.NullOr(Game), plan: Plan, plans: Schema.Array(Plan) })),
  {
    httpApiStatus: errorStatus.GAME_NOT_INCLUDED,
    description: "Your plan includes one game, and the request is for another one; `details` name the plans that include all games",
  },
) {
  static readonly of = (game: Game, chosen: Game | null, plan: Plan) => {
    const plans = Plan.literals.filter((one) => one !== "free" && planTerms[one].games === "all")
    const message = `plan ${plan} includes one game (${chosen ?? "none chosen yet"}); ${game} needs plan ${plans[0] ?? "pro"} or higher`
    return new GameNotIncluded(body("GAME_NOT_INCLUDED", message, { game, chosen, plan, plans }))
  }
}

export class HistoryLimit extends Schema.Error<HistoryLimit>("HistoryLimit")(
  detailedBody("HISTORY_LIMIT", Schema.Struct({ plan: Plan, historyDays: Schema.NullOr(Schema.Natural), needs: Plan })),
  {
    httpApiStatus: errorStatus.HISTORY_LIMIT,
    description: "The requested data is older than the history of your plan; `details` name the plan that includes it",
  },
) {
  /** `at` is the time of the requested data, `now` the current time, in epoch milliseconds. */
  static readonly of = (plan: Plan, at: number, now: number) => {
    const { historyDays } = planTerms[plan]
    const needs = planReaching(at, now)
    const message = `plan ${plan} includes ${historyDays ?? 0} days of history; older data needs plan ${needs}`
    return new HistoryLimit(body("HISTORY_LIMIT", message, { plan, historyDays, needs }))
  }
}

export class NotFound extends Schema.Error<NotFound>("NotFound")(errorBody("NOT_FOUND"), {
  httpApiStatus: errorStatus.NOT_FOUND,
  description: "The requested resource does not exist",
}) {
  static readonly of = (message: string) => new NotFound(body("NOT_FOUND", message))
}

/** The value is not one of the possible values of the parameter. */
const Choice = Schema.Struct({ parameter: Schema.String, value: Schema.String, valid: Schema.Array(Schema.String) })

export class NotCovered extends Schema.Error<NotCovered>("NotCovered")(detailedBody("NOT_COVERED", Choice), {
  httpApiStatus: errorStatus.NOT_COVERED,
  description: "The data does not cover the requested variant; `details` list the variants that it covers",
}) {
  static readonly of = (parameter: string, value: string, valid: ReadonlyArray<string>) =>
    new NotCovered(body("NOT_COVERED", `no data for ${parameter} ${value}; use ${valid.join(", ")}`, { parameter, value, valid }))
}

export class UnknownValue extends Schema.Error<UnknownValue>("UnknownValue")(detailedBody("UNKNOWN_VALUE", Choice), {
  httpApiStatus: errorStatus.UNKNOWN_VALUE,
  description: "A parameter has a value that does not exist; `details` list the valid values",
}) {
  static readonly of = (parameter: string, value: string, valid: ReadonlyArray<string>) =>
    new UnknownValue(body("UNKNOWN_VALUE", `unknown ${parameter} ${value}; use ${valid.join(", ")}`, { parameter, value, valid }))
}

export class MatchNotFound extends Schema.Error<MatchNotFound>("MatchNotFound")(errorBody("MATCH_NOT_FOUND"), {
  httpApiStatus: errorStatus.MATCH_NOT_FOUND,
  description: "No live match has this id",
}) {
  static readonly of = (matchId: string) =>
    new MatchNotFound(body("MATCH_NOT_FOUND", `no live match has the id ${matchId}; GET /cs2/live lists the live matches`, { matchId }))
}

export class Conflict extends Schema.Error<Conflict>("Conflict")(errorBody("CONFLICT"), {
  httpApiStatus: errorStatus.CONFLICT,
  description: "The current state does not allow the change; the message gives the reason",
}) {
  static readonly because = (message: string) => new Conflict(body("CONFLICT", message))
}

export class MatchOver extends Schema.Error<MatchOver>("MatchOver")(errorBody("MATCH_OVER"), {
  httpApiStatus: errorStatus.MATCH_OVER,
  description: "The match has ended with another result; an end cannot be changed",
}) {
  static readonly because = (message: string) => new MatchOver(body("MATCH_OVER", message))
}

export class PayloadTooLarge extends Schema.Error<PayloadTooLarge>("PayloadTooLarge")(errorBody("PAYLOAD_TOO_LARGE"), {
  httpApiStatus: errorStatus.PAYLOAD_TOO_LARGE,
  description: "The request body exceeds the size limit",
}) {
  /** `whose` names the owner of the requests whose bodies are too large together. */
  static readonly inTotal = (whose: string) =>
    new PayloadTooLarge(
      body(
        "PAYLOAD_TOO_LARGE",
        `the unanswered requests of ${whose} have too large bodies in total; send this one again when others are answered`,
      ),
    )

  static readonly limit = (bytes: number) =>
    new PayloadTooLarge(body("PAYLOAD_TOO_LARGE", `the request body exceeds the limit of ${bytes} bytes`))
}

const seconds = Schema.Natural.annotate({ description: "Seconds to wait before the next request; equals the header `Retry-After`" })

/** `RateLimitExceeded`, `QuotaExceeded` and `TooManyConnections` all have status 429; `details.limit` distinguishes them. */
export class RateLimitExceeded extends Schema.Error<RateLimitExceeded>("RateLimitExceeded")(
  detailedBody(
    "RATE_LIMIT_EXCEEDED",
    Schema.Struct({ limit: Schema.Literal("requests_per_second"), plan: Plan, allowed: Schema.Natural, retryAfterSeconds: seconds }),
  ),
  { httpApiStatus: errorStatus.RATE_LIMIT_EXCEEDED, description: "The key sent more requests per second than its plan allows" },
) {
  static readonly of = (plan: Plan, allowed: number, retryAfterSeconds: number) => {
    const message = `this key may send at most ${allowed} requests per second; retry in ${retryAfterSeconds} s`
    const details = { limit: "requests_per_second" as const, plan, allowed, retryAfterSeconds }
    return new RateLimitExceeded(body("RATE_LIMIT_EXCEEDED", message, details))
  }
}

export class QuotaExceeded extends Schema.Error<QuotaExceeded>("QuotaExceeded")(
  detailedBody(
    "RATE_LIMIT_EXCEEDED",
    Schema.Struct({
      limit: Schema.Literal("requests_per_month"),
      plan: Plan,
      allowed: Schema.Natural,
      resetsAt: Schema.String.annotate({ description: "Start of the next month, ISO 8601 in UTC" }),
      retryAfterSeconds: seconds,
    }),
  ),
  { httpApiStatus: errorStatus.RATE_LIMIT_EXCEEDED, description: "The account has used its monthly quota" },
) {
  /** `resetsAt` and `now` are in epoch milliseconds. */
  static readonly of = (plan: Plan, allowed: number, resetsAt: number, now: number) => {
    const reset = new Date(resetsAt).toISOString()
    const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt - now) / 1_000))
    const details = { limit: "requests_per_month" as const, plan, allowed, resetsAt: reset, retryAfterSeconds }
    return new QuotaExceeded(body("RATE_LIMIT_EXCEEDED", quotaMessage(allowed, reset), details))
  }
}

export class TooManyConnections extends Schema.Error<TooManyConnections>("TooManyConnections")(
  detailedBody("TOO_MANY_CONNECTIONS", Schema.Struct({ limit: Schema.Literal("connections"), plan: Plan, allowed: Schema.Natural })),
  {
    httpApiStatus: errorStatus.TOO_MANY_CONNECTIONS,
    description: "The key already has as many live channels open as its plan allows",
  },
) {
  static readonly of = (plan: Plan) => {
    const allowed = planTerms[plan].connections
    const message = `plan ${plan} allows ${allowed} live connections at once; close a connection, or subscribe to more rooms on an open one`
    return new TooManyConnections(body("TOO_MANY_CONNECTIONS", message, { limit: "connections" as const, plan, allowed }))
  }
}

export class TooManyHandshakes extends Schema.Error<TooManyHandshakes>("TooManyHandshakes")(errorBody("TOO_MANY_HANDSHAKES"), {
  httpApiStatus: errorStatus.TOO_MANY_HANDSHAKES,
  description: "Your address opens live channels, or sends wrong keys or tokens, too often",
}) {
  static readonly from = (perSecond: number) =>
    new TooManyHandshakes(
      body("TOO_MANY_HANDSHAKES", `one address may open at most ${perSecond} live connections per second; wait before you retry`),
    )

  /** The IP address has sent too many wrong tokens. `waitMs` is the time until it may try again. */
  static readonly wrongTokens = (kind: "admin" | "feed", waitMs: number) =>
    new TooManyHandshakes(
      body("TOO_MANY_HANDSHAKES", `too many wrong ${kind} tokens from your address; wait ${Math.ceil(waitMs / 1_000)} s before you retry`),
    )

  static readonly tries = (perSecond: number) =>
    new TooManyHandshakes(
      body(
        "TOO_MANY_HANDSHAKES",
        `one address may send at most ${perSecond} unknown keys per second; check the key and wait before you retry`,
      ),
    )
}

export class TooManyReplays extends Schema.Error<TooManyReplays>("TooManyReplays")(errorBody("TOO_MANY_REPLAYS"), {
  httpApiStatus: errorStatus.TOO_MANY_REPLAYS,
  description: "The key already runs as many replays as its plan allows",
}) {
  static readonly of = (plan: Plan) =>
    new TooManyReplays(
      body("TOO_MANY_REPLAYS", `plan ${plan} allows ${planTerms[plan].replays} replays at once; end one before you start another`),
    )
}

export class UpgradeRequired extends Schema.Error<UpgradeRequired>("UpgradeRequired")(errorBody("UPGRADE_REQUIRED"), {
  httpApiStatus: errorStatus.UPGRADE_REQUIRED,
  description: "The path is a WebSocket, and the request has no WebSocket handshake",
}) {
  static readonly because = (message: string) => new UpgradeRequired(body("UPGRADE_REQUIRED", message))
}

export class InternalError extends Schema.Error<InternalError>("InternalError")(errorBody("INTERNAL_ERROR"), {
  httpApiStatus: errorStatus.INTERNAL_ERROR,
  description: "The server failed; the message contains no internal details",
}) {
  static readonly hidden = () =>
    new InternalError(
      body("INTERNAL_ERROR", "the server failed to handle the request; retry later, and report the header X-Request-Id if it fails again"),
    )
}

export class NotYetAvailable extends Schema.Error<NotYetAvailable>("NotYetAvailable")(
  detailedBody(
    "NOT_YET_AVAILABLE",
    Schema.Struct({
      game: Schema.String.annotate({ description: "Section of the endpoint" }),
      path: Schema.String.annotate({ description: "Path of the endpoint, with the names of its parameters" }),
      announcedOn: Schema.String.annotate({ description: "Date of the announcement, ISO 8601" }),
      example: Schema.Struct({
        path: Schema.String.annotate({ description: "Endpoint that will return this response" }),
        body: Schema.Unknown.annotate({ description: "Planned response, with invented values" }),
      }),
    }),
  ),
  { httpApiStatus: errorStatus.NOT_YET_AVAILABLE, description: "The endpoint is announced, but does not return data yet" },
) {
  /** `path` has the names of its parameters: `/api/v1/tennis/odds/{matchId}`. */
  static readonly of = ({ example, game, on }: Announcement, path: string) =>
    new NotYetAvailable(
      body(
        "NOT_YET_AVAILABLE",
        `GET ${path} was announced on ${on} and is not available yet; prepare your program with \`details.example\``,
        {
          game,
          path,
          announcedOn: on,
          example,
        },
      ),
    )
}

export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(errorBody("SERVICE_UNAVAILABLE"), {
  httpApiStatus: errorStatus.SERVICE_UNAVAILABLE,
  description: "A component that the server depends on does not respond; retry later",
}) {
  static readonly because = (message: string) => new ServiceUnavailable(body("SERVICE_UNAVAILABLE", message))
}

/** The post has no video that can be transcribed, or the video exceeds the limits of the plan. */
export class VideoRejected extends Schema.Error<VideoRejected>("VideoRejected")(
  detailedBody("VIDEO_REJECTED", Schema.Struct({ reason: VideoReason })),
  {
    httpApiStatus: errorStatus.VIDEO_REJECTED,
    description: "The post has no video that can be transcribed, or the video exceeds the limits of your plan; `details` give the reason",
  },
) {
  static readonly because = (reason: VideoReason, message: string) => new VideoRejected(body("VIDEO_REJECTED", message, { reason }))
}

export class TooManyTranscripts extends Schema.Error<TooManyTranscripts>("TooManyTranscripts")(
  detailedBody("TOO_MANY_TRANSCRIPTS", Schema.Struct({ limit: Schema.Literal("transcripts"), plan: Plan, allowed: Schema.Natural })),
  {
    httpApiStatus: errorStatus.TOO_MANY_TRANSCRIPTS,
    description: "The account already has as many transcripts in progress as its plan allows",
  },
) {
  static readonly of = (plan: Plan, allowed: number) => {
    const message = `plan ${plan} allows ${allowed} transcripts in progress at once; wait for one, or cancel one with DELETE /transcript/jobs/{jobId}`
    return new TooManyTranscripts(body("TOO_MANY_TRANSCRIPTS", message, { limit: "transcripts" as const, plan, allowed }))
  }
}

export class TranscriptionUnavailable extends Schema.Error<TranscriptionUnavailable>("TranscriptionUnavailable")(
  detailedBody("TRANSCRIPTION_UNAVAILABLE", Schema.Struct({ reason: UnavailableReason, retryAfterSeconds: seconds })),
  {
    httpApiStatus: errorStatus.TRANSCRIPTION_UNAVAILABLE,
    description: "The server cannot make transcripts at the moment, or is not set up for it; `details` give the reason",
  },
) {
  static readonly because = (reason: UnavailableReason, message: string, retryAfterSeconds: number) =>
    new TranscriptionUnavailable(body("TRANSCRIPTION_UNAVAILABLE", message, { reason, retryAfterSeconds }))
}

export function body<Code extends ErrorCode>(code: Code, message: string): ErrorBody<Code>
export function body<Code extends ErrorCode, Details>(code: Code, message: string, details: Details): DetailedBody<Code, Details>
export function body<Code extends ErrorCode>(code: Code, message: string, details?: unknown) {
  return { success: false as const, error: details === undefined ? { code, message } : { code, message, details } }
}

interface ErrorBody<Code> {
  readonly success: false
  readonly error: { readonly code: Code; readonly message: string; readonly details?: unknown }
}

interface DetailedBody<Code, Details> {
  readonly success: false
  readonly error: { readonly code: Code; readonly message: string; readonly details: Details }
}
