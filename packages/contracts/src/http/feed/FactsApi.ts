/**
 * Endpoints that receive match registrations and facts (events of a match) for any game. Each game defines the content
 * of its registrations and facts. Callers must send the feed token. These endpoints are not part of the public API.
 */
import { FeedSource } from "@matchpoint/domain/feedTokens"
import { FactId, MatchId } from "@matchpoint/domain/ids"
import { allTextStorable, StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { NoMeta, success } from "../envelope.ts"
import {
  Conflict,
  FeedTokenScope,
  InternalError,
  InvalidFeedToken,
  MatchNotFound,
  NotFound,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyHandshakes,
  ValidationError,
} from "../errors.ts"
import { IdempotencyKey } from "../IdempotencyKey.ts"
import { RequestRules } from "../RequestRules.ts"

/** Root path of the endpoints that receive match data. The paths of these endpoints are relative to it. */
export const FEED_ROOT = "/feed/v1"

/**
 * Header that contains the feed token. Game servers cannot set headers, so they send the token as the query parameter
 * `token` instead. Game State Integration sends it as `auth.token` in the body.
 */
export const FEED_TOKEN_HEADER = "x-feed-token"

/** Maximum size of a request body in bytes. Larger bodies are rejected. */
export const MAX_FEED_BODY_BYTES = 1024 * 1024

/** Maximum number of facts (events of a match) in one request to `/events`. */
export const MAX_FEED_EVENTS = 2_000

/**
 * Maximum number of problems listed in one response. A problem is a rejected fact (event) or line of the request. All
 * problems, including those not listed, are published on the NATS subject `feed.rejected`.
 */
export const MAX_LISTED_PROBLEMS = 20

export const UnresolvedName = Schema.Struct({ name: Schema.String, teamId: Schema.String })

/**
 * Returns the schema of the response to a request that contains facts (events of a match). The server sends this
 * response only after the log has stored the facts. `code` is the schema of the rejection codes.
 */
export const receiptOf = <Code extends Schema.Constraint>(code: Code) =>
  Schema.Struct({
    matchId: MatchId,
    accepted: Schema.Natural,
    /**
     * Number of facts (events) that were ignored, because they had already been received or because the game does not
     * use them.
     */
    ignored: Schema.Natural,
    /**
     * Names reported by the feed that are not the name of either team, each with the team to which the service has
     * assigned it. Absent if there are none. While there are any, the result of the match is uncertain.
     */
    unresolvedNames: Schema.optionalKey(Schema.Array(UnresolvedName)),
    problemCount: Schema.Natural,
    /** The first 20 problems found in the request. `problemCount` is their total number. */
    problems: Schema.Array(
      Schema.Struct({
        code,
        message: Schema.String,
        /** Number of the line, or of the array element, of the request body. Counted from 1. */
        line: Schema.optionalKey(Schema.Natural),
      }),
    ),
  })

export const Receipt = receiptOf(Schema.String)
export type Receipt = typeof Receipt.Type

/**
 * A fact (an event of a match) reported by another integration. The possible values of `type` and `payload` depend on
 * the game of the match.
 */
export const Fact = Schema.Struct({
  id: FactId,
  type: StorableText,
  /** Time when the reported event happened, in epoch milliseconds. */
  observedAt: Schema.Natural,
  source: Schema.optionalKey(FeedSource),
  payload: Schema.Record(Schema.String, Schema.Unknown).check(allTextStorable),
})
export type Fact = typeof Fact.Type

export const Facts = Schema.Array(Fact).check(Schema.isMaxLength(MAX_FEED_EVENTS))

/** Maximum number of rejected facts (events) listed for one match. */
export const MAX_LISTED_REJECTIONS = 20

/** Numbers of lines that a feed has sent, for feeds that send text such as a server log. Each line is counted once. */
export const FeedLines = Schema.Struct({
  /** Lines that were used. */
  understood: Schema.Natural,
  /** Lines that were sent before. */
  repeated: Schema.Natural,
  /** Lines that are reported as problems. */
  reported: Schema.Natural,
  /** Irrelevant lines by the name of the rule, such as `chat`. */
  irrelevant: Schema.Record(Schema.String, Schema.Natural),
})
export type FeedLines = typeof FeedLines.Type

/** Statistics about one feed of a match: the data that this process has received from it since the process started. */
export const FeedReport = Schema.Struct({
  source: Schema.Literals(["main", "backup"]),
  /** Time of the last report received from the feed, in epoch milliseconds. */
  lastReportAt: Schema.Natural,
  /** Number of requests received from the feed. */
  reports: Schema.Natural,
  /**
   * Numbers of facts (events) that were accepted, ignored and rejected. They are counted in the same way as in the
   * responses to requests of the feed.
   */
  accepted: Schema.Natural,
  ignored: Schema.Natural,
  rejected: Schema.Natural,
  /** Absent for feeds that have sent no lines of text. */
  lines: Schema.optionalKey(FeedLines),
  /** Current map and round according to the feed; null if the feed has not reported them. */
  shown: Schema.NullOr(Schema.Struct({ mapName: Schema.NullOr(Schema.String), round: Schema.Natural })),
})
export type FeedReport = typeof FeedReport.Type

/** A rejected fact (event of a match) or a rejected request. */
export const Rejected = Schema.Struct({
  /** Time of the rejection, epoch milliseconds. */
  at: Schema.Natural,
  source: Schema.NullOr(Schema.Literals(["main", "backup"])),
  code: Schema.String,
  message: Schema.String,
  /** Number of the line, or of the array element, of the request body. Counted from 1. */
  line: Schema.optionalKey(Schema.Natural),
})
export type Rejected = typeof Rejected.Type

/** The match's id in the organiser's system. A registration of the same game with the same id is a repetition. */
export const ExternalId = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(200))

/** Optional fields of a registration of any game that identify the match. */
export const registrationFields = { externalId: Schema.optionalKey(ExternalId) } as const

/** Headers of a registration. With the same key, a repeated registration does not create another match. */
export const registrationHeaders = { "idempotency-key": Schema.optionalKey(IdempotencyKey) } as const

/** A token that may send facts of this match only. The answer to a repeated registration has the same token. */
export const MatchToken = Schema.String

export const RegisteredMatch = Schema.Struct({ matchId: MatchId, eventsUrl: Schema.String, feedToken: MatchToken })

export const tokenQuery = { token: Schema.optionalKey(Schema.String) } as const

/**
 * The match id in the path. The schema accepts any text, so that the response to a malformed id is 404, as for an
 * unknown id, and not a validation error.
 */
export const matchParams = { matchId: Schema.String } as const

export const feedErrors = [
  ValidationError,
  InvalidFeedToken,
  FeedTokenScope,
  PayloadTooLarge,
  TooManyHandshakes,
  ServiceUnavailable,
  InternalError,
] as const
export const matchErrors = [...feedErrors, MatchNotFound] as const

export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class FactsGroup extends HttpApiGroup.make("facts")
  .add(
    HttpApiEndpoint.post("register", "/:game/matches", {
      params: { game: Schema.String },
      query: tokenQuery,
      headers: registrationHeaders,
      payload: Schema.Json.check(allTextStorable),
      success: success(RegisteredMatch, NoMeta),
      error: [...feedErrors, NotFound, Conflict],
    }).annotateMerge(describe("Register a match of a game", "Opens a match for facts. The content of a registration depends on the game.")),
    HttpApiEndpoint.post("events", "/:game/matches/:matchId/events", {
      params: { game: Schema.String, ...matchParams },
      query: tokenQuery,
      payload: Facts,
      success: success(Receipt, NoMeta),
      error: matchErrors,
    }).annotateMerge(describe("Facts of a game", "Facts of an integration, in order. If one fact is invalid, all are rejected.")),
  )
  .middleware(RequestRules) {}

/** An API of feeds without endpoints: the games and `FactsApi` add theirs. */
export const feedApi = HttpApi.make("matchpoint-feed")

/** The feed endpoints of all games. */
export const FactsApi = feedApi.add(FactsGroup).prefix(FEED_ROOT)
