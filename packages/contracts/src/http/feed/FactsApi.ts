/**
 * How matches and facts of any game come in over HTTP. Which registrations and facts there are is the game's. Only a caller with the feed
 * token may send them. It is not part of the public API.
 */
import { FeedSource } from "@matchpoint/domain/feedTokens"
import { FactId, MatchId } from "@matchpoint/domain/ids"
import { allTextStorable, StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { NoMeta, success } from "../envelope.ts"
import {
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
import { RequestRules } from "../RequestRules.ts"

/** The root of the intake; every path below is relative to it. */
export const FEED_ROOT = "/feed/v1"

/** The token as a header. Game servers can set none and carry it in the query as `token`, GSI in its body as `auth.token`. */
export const FEED_TOKEN_HEADER = "x-feed-token"

/** Bodies beyond this are refused, bytes. */
export const MAX_FEED_BODY_BYTES = 1024 * 1024

/** Facts in one request to `/events`. */
export const MAX_FEED_EVENTS = 2_000

/** Problems told in one answer; `feed.rejected` has them all. */
export const MAX_TOLD_PROBLEMS = 20

export const UnresolvedName = Schema.Struct({ name: Schema.String, teamId: Schema.String })

/** What became of a request's facts. Answered after the log has them. `code`: the codes that a problem may have. */
export const receiptOf = <Code extends Schema.Constraint>(code: Code) =>
  Schema.Struct({
    matchId: MatchId,
    accepted: Schema.Natural,
    /** Told nothing new: sent before, or of no interest. */
    ignored: Schema.Natural,
    /**
     * Names that the feed shows and that are of neither team, with the team each is taken for. Present while there are any: the result
     * of the match is not certain until they are resolved.
     */
    unresolvedNames: Schema.optionalKey(Schema.Array(UnresolvedName)),
    problemCount: Schema.Natural,
    /** The first 20. */
    problems: Schema.Array(
      Schema.Struct({
        code,
        message: Schema.String,
        /** Line or element of the body, from 1. */
        line: Schema.optionalKey(Schema.Natural),
      }),
    ),
  })

export const Receipt = receiptOf(Schema.String)
export type Receipt = typeof Receipt.Type

/** A fact from another integration. `type` and `payload` are those of an event of the match's game. */
export const Fact = Schema.Struct({
  id: FactId,
  type: StorableText,
  /** When it happened, epoch milliseconds. */
  observedAt: Schema.Natural,
  source: Schema.optionalKey(FeedSource),
  payload: Schema.Record(Schema.String, Schema.Unknown).check(allTextStorable),
})
export type Fact = typeof Fact.Type

export const Facts = Schema.Array(Fact).check(Schema.isMaxLength(MAX_FEED_EVENTS))

/** Rejected facts that are told of one match. */
export const MAX_TOLD_REJECTIONS = 20

/** What one feed of a match has sent to this process since it started. */
export const FeedReport = Schema.Struct({
  source: Schema.Literals(["main", "backup"]),
  /** When it last sent anything, epoch milliseconds. */
  lastReportAt: Schema.Natural,
  /** Requests. */
  reports: Schema.Natural,
  /** Facts, as in the receipts. */
  accepted: Schema.Natural,
  ignored: Schema.Natural,
  rejected: Schema.Natural,
  /** Where the feed says the match is; null: it has not said. */
  shown: Schema.NullOr(Schema.Struct({ mapName: Schema.NullOr(Schema.String), round: Schema.Natural })),
})
export type FeedReport = typeof FeedReport.Type

/** A fact, or a request, that was not taken. */
export const Rejected = Schema.Struct({
  /** Epoch milliseconds. */
  at: Schema.Natural,
  source: Schema.NullOr(Schema.Literals(["main", "backup"])),
  code: Schema.String,
  message: Schema.String,
  /** Line or element of its request, from 1. */
  line: Schema.optionalKey(Schema.Natural),
})
export type Rejected = typeof Rejected.Type

export const RegisteredMatch = Schema.Struct({ matchId: MatchId, eventsUrl: Schema.String })

export const tokenQuery = { token: Schema.optionalKey(Schema.String) } as const

/** The match. Any text is accepted here, so that a malformed id is answered with 404 like an unknown one. */
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
      payload: Schema.Json.check(allTextStorable),
      success: success(RegisteredMatch, NoMeta),
      error: [...feedErrors, NotFound],
    }).annotateMerge(describe("Register a match of a game", "Opens it for facts. What a registration says depends on the game.")),
    HttpApiEndpoint.post("events", "/:game/matches/:matchId/events", {
      params: { game: Schema.String, ...matchParams },
      query: tokenQuery,
      payload: Facts,
      success: success(Receipt, NoMeta),
      error: matchErrors,
    }).annotateMerge(describe("Facts of a game", "Facts of an integration, in order. One that does not fit refuses all of them.")),
  )
  .middleware(RequestRules) {}
