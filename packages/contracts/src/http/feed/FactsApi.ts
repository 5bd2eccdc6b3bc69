/**
 * Receives registrations and facts (events of a match). Each game defines their content. Callers must send the feed
 * token. Not part of the public API.
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

export const FEED_ROOT = "/feed/v1"

/**
 * Game servers cannot set headers, so they send the token as the query parameter `token`. Game State Integration sends
 * it as `auth.token` in the body.
 */
export const FEED_TOKEN_HEADER = "x-feed-token"

/** Larger bodies are rejected. */
export const MAX_FEED_BODY_BYTES = 1024 * 1024

/** Maximum number of facts per request to `/events`. */
export const MAX_FEED_EVENTS = 2_000

/** Problems (rejected facts or lines) per response. All of them are published on the NATS subject `feed.rejected`. */
export const MAX_LISTED_PROBLEMS = 20

export const UnresolvedName = Schema.Struct({ name: Schema.String, teamId: Schema.String })

/** Sent only after the log has stored the facts. `code` is the schema of the rejection codes. */
export const receiptOf = <Code extends Schema.Constraint>(code: Code) =>
  Schema.Struct({
    matchId: MatchId,
    accepted: Schema.Natural,
    /** Facts that were already received, or that the game does not use. */
    ignored: Schema.Natural,
    /**
     * Names that are neither team's, each with the team to which the service has assigned it. Absent if there are none.
     * While there are any, the result of the match is uncertain.
     */
    unresolvedNames: Schema.optionalKey(Schema.Array(UnresolvedName)),
    problemCount: Schema.Natural,
    /** The first 20 problems. */
    problems: Schema.Array(
      Schema.Struct({
        code,
        message: Schema.String,
        /** Number of the line, or of the array element, in the request body. Counted from 1. */
        line: Schema.optionalKey(Schema.Natural),
      }),
    ),
  })

export const Receipt = receiptOf(Schema.String)
export type Receipt = typeof Receipt.Type

/** A fact from another integration. `type` and `payload` depend on the game of the match. */
export const Fact = Schema.Struct({
  id: FactId,
  type: StorableText,
  /** Time of the reported event, in epoch milliseconds. */
  observedAt: Schema.Natural,
  source: Schema.optionalKey(FeedSource),
  payload: Schema.Record(Schema.String, Schema.Unknown).check(allTextStorable),
})
export type Fact = typeof Fact.Type

export const Facts = Schema.Array(Fact).check(Schema.isMaxLength(MAX_FEED_EVENTS))

/** Maximum number of rejections listed per match. */
export const MAX_LISTED_REJECTIONS = 20

/** Numbers of lines, for feeds that send text such as a server log. Each line is counted once. */
export const FeedLines = Schema.Struct({
  understood: Schema.Natural,
  /** Lines that were sent before. */
  repeated: Schema.Natural,
  /** Lines that are reported as problems. */
  reported: Schema.Natural,
  /** Irrelevant lines by the name of the rule, such as `chat`. */
  irrelevant: Schema.Record(Schema.String, Schema.Natural),
})
export type FeedLines = typeof FeedLines.Type

/** Counts of what this process has received from one feed of a match since the process started. */
export const FeedReport = Schema.Struct({
  source: Schema.Literals(["main", "backup"]),
  /** Epoch milliseconds. */
  lastReportAt: Schema.Natural,
  reports: Schema.Natural,
  /** Facts, counted as in the responses to the feed's requests. */
  accepted: Schema.Natural,
  ignored: Schema.Natural,
  rejected: Schema.Natural,
  /** Absent for feeds that have sent no lines of text. */
  lines: Schema.optionalKey(FeedLines),
  /** Current map and round according to the feed; null if it has not reported them. */
  shown: Schema.NullOr(Schema.Struct({ mapName: Schema.NullOr(Schema.String), round: Schema.Natural })),
})
export type FeedReport = typeof FeedReport.Type

/** A rejected fact or request. */
export const Rejected = Schema.Struct({
  /** Epoch milliseconds. */
  at: Schema.Natural,
  source: Schema.NullOr(Schema.Literals(["main", "backup"])),
  code: Schema.String,
  message: Schema.String,
  /** Number of the line, or of the array element, in the request body. Counted from 1. */
  line: Schema.optionalKey(Schema.Natural),
})
export type Rejected = typeof Rejected.Type

/** Id in the organiser's system. A registration of the same game with the same id is a repetition. */
export const ExternalId = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(200))

/** Optional in a registration of any game. */
export const registrationFields = { externalId: Schema.optionalKey(ExternalId) } as const

/** With the same key, a repeated registration does not create another match. */
export const registrationHeaders = { "idempotency-key": Schema.optionalKey(IdempotencyKey) } as const

/** Token for facts of this match only. A repeated registration returns the same one. */
export const MatchToken = Schema.String

export const RegisteredMatch = Schema.Struct({ matchId: MatchId, eventsUrl: Schema.String, feedToken: MatchToken })

export const tokenQuery = { token: Schema.optionalKey(Schema.String) } as const

/** Any text, so that a malformed id gets 404 like an unknown one, and no validation error. */
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

/** A feed API without endpoints: the games and `FactsApi` add theirs. */
export const feedApi = HttpApi.make("matchpoint-feed")

/** The feed endpoints of all games. */
export const FactsApi = feedApi.add(FactsGroup).prefix(FEED_ROOT)
