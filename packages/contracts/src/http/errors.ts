/**
 * Errors of the HTTP API as they go over the wire: `{ success: false, error: { code, message, details? } }`. One class per code;
 * the status belongs to the code.
 */
import { Schema } from "effect"

const errorBody = <Code extends string>(code: Code) =>
  Schema.Struct({
    success: Schema.Literal(false),
    error: Schema.Struct({ code: Schema.Literal(code), message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
  })

/** Code -> HTTP status: the one table of what can go wrong. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  MATCH_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UPGRADE_REQUIRED: 426,
  TOO_MANY_CONNECTIONS: 429,
  TOO_MANY_HANDSHAKES: 429,
  TOO_MANY_REPLAYS: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(errorBody("BAD_REQUEST"), {
  httpApiStatus: errorStatus.BAD_REQUEST,
  description: "The request does not fit the contract; details name the place",
}) {
  static readonly because = (message: string, details?: unknown) => new BadRequest(body("BAD_REQUEST", message, details))
}

export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(errorBody("UNAUTHORIZED"), {
  httpApiStatus: errorStatus.UNAUTHORIZED,
  description: "No API key, or one that is unknown or revoked",
}) {
  static readonly because = (message: string) => new Unauthorized(body("UNAUTHORIZED", message))
}

export class MatchNotFound extends Schema.Error<MatchNotFound>("MatchNotFound")(errorBody("MATCH_NOT_FOUND"), {
  httpApiStatus: errorStatus.MATCH_NOT_FOUND,
  description: "No live match has this id",
}) {
  static readonly of = (matchId: string) =>
    new MatchNotFound(body("MATCH_NOT_FOUND", `no live match has the id ${matchId}; GET /cs2/live lists them`, { matchId }))
}

export class TooManyConnections extends Schema.Error<TooManyConnections>("TooManyConnections")(errorBody("TOO_MANY_CONNECTIONS"), {
  httpApiStatus: errorStatus.TOO_MANY_CONNECTIONS,
  description: "The key has as many live channels open as its plan allows",
}) {
  static readonly of = (plan: string, limit: number) =>
    new TooManyConnections(
      body("TOO_MANY_CONNECTIONS", `plan ${plan} allows ${limit} live connections at once; close one or follow more rooms on one`, {
        plan,
        limit,
      }),
    )
}

export class TooManyHandshakes extends Schema.Error<TooManyHandshakes>("TooManyHandshakes")(errorBody("TOO_MANY_HANDSHAKES"), {
  httpApiStatus: errorStatus.TOO_MANY_HANDSHAKES,
  description: "Your address opens live channels too often",
}) {
  static readonly from = (perSecond: number) =>
    new TooManyHandshakes(
      body("TOO_MANY_HANDSHAKES", `at most ${perSecond} live connections may be opened per second from one address; wait before you retry`),
    )
}

export class InternalError extends Schema.Error<InternalError>("InternalError")(errorBody("INTERNAL_ERROR"), {
  httpApiStatus: errorStatus.INTERNAL_ERROR,
  description: "Our fault; the message carries nothing of the inside",
}) {
  static readonly hidden = () => new InternalError(body("INTERNAL_ERROR", "something went wrong on our side"))
}

export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(errorBody("SERVICE_UNAVAILABLE"), {
  httpApiStatus: errorStatus.SERVICE_UNAVAILABLE,
  description: "A part we need does not answer; try again",
}) {
  static readonly because = (message: string) => new ServiceUnavailable(body("SERVICE_UNAVAILABLE", message))
}

/** The body of an error answer. */
export const body = <Code extends ErrorCode>(code: Code, message: string, details?: unknown) => ({
  success: false as const,
  error: details === undefined ? { code, message } : { code, message, details },
})
