/**
 * How facts of CS2 matches come in over HTTP: matches are registered, game servers post their logs, observers their Game State
 * Integration, other integrations finished facts.
 */

import { PlayerId, TeamId } from "@matchpoint/domain/cs2/ids"
import { rejectionCodes } from "@matchpoint/domain/cs2/live/decide"
import { feedEventTypes } from "@matchpoint/domain/cs2/live/feedEvents"
import { MatchRules } from "@matchpoint/domain/cs2/live/rules"
import { MatchId } from "@matchpoint/domain/ids"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { MarketQuoted } from "../../../cs2/odds.ts"
import { NoMeta, success } from "../../envelope.ts"
import {
  Fact as AnyFact,
  describe,
  FeedReport,
  feedErrors,
  MAX_FEED_EVENTS,
  matchErrors,
  matchParams,
  Rejected,
  receiptOf,
  tokenQuery,
  UnresolvedName,
} from "../../feed/FactsApi.ts"
import { RequestRules } from "../../RequestRules.ts"

const Name = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))
const SteamId64 = Schema.String.check(Schema.isPattern(/^[0-9]{17}$/))
const rules = MatchRules.fields

const RegistrationTeam = Schema.Struct({
  /** Default: a stable id from the name. */
  id: Schema.optionalKey(TeamId),
  name: Name,
  /** Other names that the server may show, 20 at most. */
  aliases: Schema.optionalKey(Schema.Array(Name).check(Schema.isMaxLength(20))),
  logoUrl: Schema.optionalKey(Schema.NullOr(StorableText.check(Schema.isMaxLength(500)))),
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

export const Receipt = receiptOf(Schema.Literals(rejectionCodes))
export type Receipt = typeof Receipt.Type

/** Types that only we tell: a match is created by registering it, the rest are the watchdog's and the log's. */
const ourOwn: ReadonlySet<string> = new Set(["MatchCreated", "SourceChanged", "HistoryLost", "FeedSilent", "TeamAliased"])

const FactType = Schema.Literals(feedEventTypes).check(
  Schema.makeFilter((type) => (ourOwn.has(type) ? `${type} can't be sent; register the match instead` : undefined)),
)

/** A fact from another integration. `payload` is that of the feed event `type`. */
export const Fact = Schema.Struct({ ...AnyFact.fields, type: FactType })
export type Fact = typeof Fact.Type

export const Facts = Schema.Array(Fact).check(Schema.isMaxLength(MAX_FEED_EVENTS))

export const End = Schema.Struct({
  winnerTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
  reason: Schema.Literals(["completed", "forfeit", "cancelled"]),
})
export type End = typeof End.Type

/** Which team a name is of. `team`: as registered, 1 or 2. */
export const Aliases = Schema.Array(Schema.Struct({ team: Schema.Literals([1, 2]), name: Name })).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(20),
)
export type Aliases = typeof Aliases.Type

const FeedTeam = Schema.Struct({ id: TeamId, name: Schema.String, aliases: Schema.Array(Schema.String) })

/** A match as its organiser sees it: what its feeds have sent, and what became of it. */
export const FeedState = Schema.Struct({
  matchId: MatchId,
  status: Schema.Literals(["scheduled", "live", "completed", "cancelled"]),
  bestOf: Schema.Natural,
  teams: Schema.Tuple([FeedTeam, FeedTeam]),
  seriesScore: Schema.Tuple([Schema.Natural, Schema.Natural]),
  /** The feed in charge. */
  source: Schema.Literals(["live", "live_backup"]),
  /** When the newest fact of the match was received, epoch milliseconds. */
  lastFactAt: Schema.Natural,
  /** Set while no feed reports anything. */
  silence: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals(["stale", "interrupted"]),
      lastReportAt: Schema.Natural,
      ageSeconds: Schema.Natural,
    }),
  ),
  /** Names that match neither team, with the team each is taken for. The result is not certain while there are any. */
  unresolvedNames: Schema.Array(UnresolvedName),
  /** Where the match is, by what has been folded. Null before the first map. */
  current: Schema.NullOr(
    Schema.Struct({
      mapNumber: Schema.Natural,
      mapName: Schema.String,
      /** 0 before the first round. */
      round: Schema.Natural,
      phase: Schema.NullOr(Schema.Literals(["freezetime", "live", "over"])),
      score: Schema.Tuple([Schema.Natural, Schema.Natural]),
    }),
  ),
  /** What this process has taken in since it started. */
  feeds: Schema.Array(FeedReport),
  /** The newest first, 20 at most. */
  rejected: Schema.Array(Rejected),
})
export type FeedState = typeof FeedState.Type

/** Quotes in one request to `/odds`. */
export const MAX_QUOTES = 500

export const Quotes = Schema.Array(MarketQuoted).check(Schema.isMaxLength(MAX_QUOTES))

/** `ignored`: told before. */
export const QuotesTaken = Schema.Struct({ accepted: Schema.Natural, ignored: Schema.Natural })
export type QuotesTaken = typeof QuotesTaken.Type

const source = { source: Schema.optionalKey(Schema.Literals(["main", "backup"])) } as const

const receipt = success(Receipt, NoMeta)

export class Cs2FeedGroup extends HttpApiGroup.make("feed")
  .add(
    HttpApiEndpoint.post("register", "/matches", {
      query: tokenQuery,
      payload: Registration,
      success: success(Registered, NoMeta),
      error: feedErrors,
    }).annotateMerge(describe("Register a match", "Opens it for facts and tells where to send them.")),
    HttpApiEndpoint.post("log", "/matches/:matchId/log", {
      params: matchParams,
      query: { ...tokenQuery, ...source },
      payload: Schema.String.pipe(HttpApiSchema.asText()),
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Server log", "Lines of a CS2 server's log, as `logaddress_add_http` posts them.")),
    HttpApiEndpoint.post("gameState", "/matches/:matchId/gsi", {
      params: matchParams,
      query: { ...tokenQuery, ...source },
      payload: Schema.Record(Schema.String, Schema.Unknown),
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Game state", "A Game State Integration post; `auth.token` is the feed token.")),
    HttpApiEndpoint.post("events", "/matches/:matchId/events", {
      params: matchParams,
      query: tokenQuery,
      payload: Facts,
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Facts", "Facts of another integration, in order. One that does not fit refuses all of them.")),
    HttpApiEndpoint.get("state", "/matches/:matchId", {
      params: matchParams,
      query: tokenQuery,
      success: success(FeedState, NoMeta),
      error: matchErrors,
    }).annotateMerge(
      describe(
        "State of a match's feeds",
        "Last reports, rejected facts with reasons, unresolved names, and the round by the feeds and by us.",
      ),
    ),
    HttpApiEndpoint.post("aliases", "/matches/:matchId/aliases", {
      params: matchParams,
      query: tokenQuery,
      payload: Aliases,
      success: receipt,
      error: matchErrors,
    }).annotateMerge(
      describe(
        "Names of the teams",
        "Says which team a name is of, also after the end. If it was taken for the other team, the match is corrected; its result is then certain.",
      ),
    ),
    HttpApiEndpoint.post("end", "/matches/:matchId/end", {
      params: matchParams,
      query: tokenQuery,
      payload: End,
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("End a match", "For matches that end otherwise than by their maps.")),
    HttpApiEndpoint.post("odds", "/odds", {
      query: tokenQuery,
      payload: Quotes,
      success: success(QuotesTaken, NoMeta),
      error: feedErrors,
    }).annotateMerge(
      describe(
        "Odds",
        "What a market quotes, of any match, in the order of time. A quote told before is ignored; one that does not fit refuses all of them.",
      ),
    ),
  )
  .middleware(RequestRules) {}
