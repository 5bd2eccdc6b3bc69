/**
 * How facts come in over HTTP: matches are registered, game servers post their logs, observers their Game State Integration, other
 * integrations finished facts. Only whoever has the feed token may. It is not part of the public API.
 */
import { rejectionCodes } from "@matchpoint/domain/cs2/decide"
import { feedEventTypes } from "@matchpoint/domain/cs2/feedEvents"
import { PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { MatchRules } from "@matchpoint/domain/cs2/rules"
import { FactId, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MarketQuoted } from "../cs2/odds.ts"
import { NoMeta, success } from "./envelope.ts"
import { InternalError, InvalidFeedToken, MatchNotFound, PayloadTooLarge, ServiceUnavailable, ValidationError } from "./errors.ts"
import { RequestRules } from "./RequestRules.ts"

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

const Name = Schema.String.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))
const SteamId64 = Schema.String.check(Schema.isPattern(/^[0-9]{17}$/))
const rules = MatchRules.fields

const RegistrationTeam = Schema.Struct({
  /** Default: a stable id from the name. */
  id: Schema.optionalKey(TeamId),
  name: Name,
  logoUrl: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(500)))),
})

/** Known by one of the two ids. */
const RegistrationPlayer = Schema.Struct({
  playerId: Schema.optionalKey(PlayerId),
  steamId64: Schema.optionalKey(SteamId64),
  team: Schema.Literals([1, 2]),
  nickname: Name,
  name: Schema.optionalKey(Schema.NullOr(Name)),
}).check(
  Schema.makeFilter(({ playerId, steamId64 }) =>
    (playerId === undefined) === (steamId64 === undefined) ? "give either playerId or steamId64" : undefined,
  ),
)

export const Registration = Schema.Struct({
  bestOf: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
  /** Where neither names nor players tell sides apart, the first one starts as CT. */
  teams: Schema.Tuple([RegistrationTeam, RegistrationTeam]),
  /** What is not given is as in competitive CS2. */
  rules: Schema.optionalKey(
    Schema.Struct({
      maxRounds: Schema.optionalKey(rules.maxRounds),
      overtimeRounds: Schema.optionalKey(rules.overtimeRounds),
      roundSeconds: Schema.optionalKey(rules.roundSeconds),
      freezeSeconds: Schema.optionalKey(rules.freezeSeconds),
      bombSeconds: Schema.optionalKey(rules.bombSeconds),
      timeouts: Schema.optionalKey(rules.timeouts),
    }),
  ),
  eventName: Schema.optionalKey(Schema.NullOr(Name)),
  /** When it is to begin, ISO 8601 in UTC. Not given: only the day is told until it begins. */
  startsAt: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/))),
  roster: Schema.optionalKey(Schema.Array(RegistrationPlayer).check(Schema.isMaxLength(40))),
})
export type Registration = typeof Registration.Type

export const Registered = Schema.Struct({
  matchId: MatchId,
  /** For `logaddress_add_http`. Carries the token: servers can't set headers. */
  logUrl: Schema.String,
  /** The `uri` of a gamestate_integration file; the token goes into its `auth` section. */
  gsiUrl: Schema.String,
  eventsUrl: Schema.String,
})
export type Registered = typeof Registered.Type

/** What became of a request's facts. Answered after the log has them. */
export const Receipt = Schema.Struct({
  matchId: MatchId,
  accepted: Schema.Natural,
  /** Told nothing new: sent before, or of no interest. */
  ignored: Schema.Natural,
  problemCount: Schema.Natural,
  /** The first 20. */
  problems: Schema.Array(
    Schema.Struct({
      code: Schema.Literals(rejectionCodes),
      message: Schema.String,
      /** Line or element of the body, from 1. */
      line: Schema.optionalKey(Schema.Natural),
    }),
  ),
})
export type Receipt = typeof Receipt.Type

/** Types that only we tell: a match is created by registering it, the rest are the watchdog's and the log's. */
const ourOwn: ReadonlySet<string> = new Set(["MatchCreated", "SourceChanged", "HistoryLost"])

const FactType = Schema.Literals(feedEventTypes).check(
  Schema.makeFilter((type) => (ourOwn.has(type) ? `${type} can't be sent; register the match instead` : undefined)),
)

/** A fact from another integration. `payload` is that of the feed event `type`. */
export const Fact = Schema.Struct({
  id: FactId,
  type: FactType,
  /** When it happened, epoch milliseconds. */
  observedAt: Schema.Natural,
  source: Schema.optionalKey(Schema.Literals(["main", "backup"])),
  payload: Schema.Record(Schema.String, Schema.Unknown),
})
export type Fact = typeof Fact.Type

export const Facts = Schema.Array(Fact).check(Schema.isMaxLength(MAX_FEED_EVENTS))

export const End = Schema.Struct({
  winnerTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
  reason: Schema.Literals(["completed", "forfeit", "cancelled"]),
})
export type End = typeof End.Type

/** Quotes in one request to `/odds`. */
export const MAX_QUOTES = 500

export const Quotes = Schema.Array(MarketQuoted).check(Schema.isMaxLength(MAX_QUOTES))

/** `ignored`: told before. */
export const QuotesTaken = Schema.Struct({ accepted: Schema.Natural, ignored: Schema.Natural })
export type QuotesTaken = typeof QuotesTaken.Type

const token = { token: Schema.optionalKey(Schema.String) } as const
const source = { source: Schema.optionalKey(Schema.Literals(["main", "backup"])) } as const

/** Which match: any text, for an id that is none is an unknown match. */
const params = { matchId: Schema.String }

const errors = [ValidationError, InvalidFeedToken, PayloadTooLarge, ServiceUnavailable, InternalError] as const
const matchErrors = [...errors, MatchNotFound] as const

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const receipt = success(Receipt, NoMeta)

export class FeedGroup extends HttpApiGroup.make("feed")
  .add(
    HttpApiEndpoint.post("register", "/matches", {
      query: token,
      payload: Registration,
      success: success(Registered, NoMeta),
      error: errors,
    }).annotateMerge(describe("Register a match", "Opens it for facts and tells where to send them.")),
    HttpApiEndpoint.post("log", "/matches/:matchId/log", {
      params,
      query: { ...token, ...source },
      payload: Schema.String.pipe(HttpApiSchema.asText()),
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Server log", "Lines of a CS2 server's log, as `logaddress_add_http` posts them.")),
    HttpApiEndpoint.post("gameState", "/matches/:matchId/gsi", {
      params,
      query: { ...token, ...source },
      payload: Schema.Record(Schema.String, Schema.Unknown),
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Game state", "A Game State Integration post; `auth.token` is the feed token.")),
    HttpApiEndpoint.post("events", "/matches/:matchId/events", {
      params,
      query: token,
      payload: Facts,
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Facts", "Facts of another integration, in order. One that does not fit refuses all of them.")),
    HttpApiEndpoint.post("end", "/matches/:matchId/end", {
      params,
      query: token,
      payload: End,
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("End a match", "For matches that end otherwise than by their maps.")),
    HttpApiEndpoint.post("odds", "/odds", {
      query: token,
      payload: Quotes,
      success: success(QuotesTaken, NoMeta),
      error: errors,
    }).annotateMerge(
      describe(
        "Odds",
        "What a market quotes, of any match, in the order of time. A quote told before is ignored; one that does not fit refuses all of them.",
      ),
    ),
  )
  .middleware(RequestRules) {}

export class FeedApi extends HttpApi.make("matchpoint-feed")
  .add(FeedGroup)
  .prefix(FEED_ROOT)
  .annotateMerge(
    OpenApi.annotations({
      title: "Matchpoint feeds",
      version: "1.0.0",
      description: `Facts in. The feed token goes into the header \`${FEED_TOKEN_HEADER}\`, as a bearer token, or into the query as \`token\`.`,
    }),
  ) {}
