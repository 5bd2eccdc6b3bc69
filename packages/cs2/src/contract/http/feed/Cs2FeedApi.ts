/** Endpoints that receive registrations of matches, server logs, Game State Integration reports of observers, and facts. */
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { Conflict, MatchOver } from "@matchpoint/contracts/http/errors"
import {
  Fact as AnyFact,
  describe,
  FEED_ROOT,
  FeedReport,
  feedApi,
  feedErrors,
  MAX_FEED_EVENTS,
  MatchToken,
  matchErrors,
  matchParams,
  Rejected,
  receiptOf,
  registrationFields,
  registrationHeaders,
  tokenQuery,
  UnresolvedName,
} from "@matchpoint/contracts/http/feed/FactsApi"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { MatchId } from "@matchpoint/domain/ids"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { PlayerId, TeamId } from "../../../rules/ids.ts"
import { rejectionCodes } from "../../../rules/live/decide.ts"
import { feedEventTypes } from "../../../rules/live/feedEvents.ts"
import { MatchRules } from "../../../rules/live/rules.ts"
import { MarketQuoted } from "../../odds.ts"

const Name = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))
const SteamId64 = Schema.String.check(Schema.isPattern(/^[0-9]{17}$/))
const rules = MatchRules.fields

const RegistrationTeam = Schema.Struct({
  /** Id of the team. If absent, a stable id is derived from the team name. */
  id: Schema.optionalKey(TeamId),
  name: Name,
  /** Other names under which the game server may report the team, at most 20. */
  aliases: Schema.optionalKey(Schema.Array(Name).check(Schema.isMaxLength(20))),
  logoUrl: Schema.optionalKey(Schema.NullOr(StorableText.check(Schema.isMaxLength(500)))),
})

/** A player, identified by exactly one of the two ids. */
const RegistrationPlayer = Schema.Struct({
  playerId: Schema.optionalKey(PlayerId),
  steamId64: Schema.optionalKey(SteamId64),
  team: Schema.Literals([1, 2]),
  nickname: Name,
  name: Schema.optionalKey(Schema.NullOr(Name)),
}).check(
  Schema.makeFilter(({ playerId, steamId64 }) =>
    (playerId === undefined) === (steamId64 === undefined) ? "set exactly one of playerId and steamId64" : undefined,
  ),
)

export const Registration = Schema.Struct({
  ...registrationFields,
  bestOf: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
  /**
   * The two teams. If neither the team names nor the players reveal which team plays on which side, it is assumed that
   * the first team in the list starts as CT.
   */
  teams: Schema.Tuple([RegistrationTeam, RegistrationTeam]),
  /** Rules of the match. A rule that is absent has the value that it has in competitive CS2. */
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
  /** Scheduled start, ISO 8601 in UTC. If absent, responses show only the day until the match starts. */
  startsAt: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/))),
  roster: Schema.optionalKey(Schema.Array(RegistrationPlayer).check(Schema.isMaxLength(40))),
})
export type Registration = typeof Registration.Type

export const Registered = Schema.Struct({
  matchId: MatchId,
  /**
   * URL to pass to the server command `logaddress_add_http`. The URL contains `feedToken` because game servers cannot
   * set headers.
   */
  logUrl: Schema.String,
  /**
   * URL for the `uri` setting of a gamestate_integration file. `feedToken` belongs in the `auth` section of the same
   * file.
   */
  gsiUrl: Schema.String,
  eventsUrl: Schema.String,
  feedToken: MatchToken,
})
export type Registered = typeof Registered.Type

export const Receipt = receiptOf(Schema.Literals(rejectionCodes))
export type Receipt = typeof Receipt.Type

/**
 * Facts that callers must not send: a registration creates `MatchCreated`, a request to `/aliases` creates
 * `TeamAliased`, and internal components such as the watchdog, which detects silent feeds, create the others.
 */
const internalTypes: ReadonlySet<string> = new Set(["MatchCreated", "SourceChanged", "HistoryLost", "FeedSilent", "TeamAliased"])

const FactType = Schema.Literals(feedEventTypes).check(
  Schema.makeFilter((type) => (internalTypes.has(type) ? `${type} cannot be sent: the server creates facts of this type` : undefined)),
)

/** `type` is one of the types of feed events, and `payload` is the payload of that type. */
export const Fact = Schema.Struct({ ...AnyFact.fields, type: FactType })
export type Fact = typeof Fact.Type

export const Facts = Schema.Array(Fact).check(Schema.isMaxLength(MAX_FEED_EVENTS))

export const End = Schema.Struct({
  winnerTeamId: Schema.optionalKey(Schema.NullOr(TeamId)),
  reason: Schema.Literals(["completed", "forfeit", "cancelled"]),
})
export type End = typeof End.Type

/** Additional team names, each with the team it belongs to. `team` is 1 or 2, in the order of the registration. */
export const Aliases = Schema.Array(Schema.Struct({ team: Schema.Literals([1, 2]), name: Name })).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(20),
)
export type Aliases = typeof Aliases.Type

const FeedTeam = Schema.Struct({ id: TeamId, name: Schema.String, aliases: Schema.Array(Schema.String) })

/** Shows the organiser of a match which data the service has received, and what resulted from it. */
export const FeedState = Schema.Struct({
  matchId: MatchId,
  status: Schema.Literals(["scheduled", "live", "completed", "cancelled"]),
  bestOf: Schema.Natural,
  teams: Schema.Tuple([FeedTeam, FeedTeam]),
  seriesScore: Schema.Tuple([Schema.Natural, Schema.Natural]),
  /** The feed in use: `live` is the main feed, `live_backup` the backup feed. */
  source: Schema.Literals(["live", "live_backup"]),
  /** Time when the newest fact of the match was received, epoch milliseconds. */
  lastFactAt: Schema.Natural,
  /**
   * Describes an outage in which all feeds are silent: since when and for how long. `null` if at least one feed is
   * reporting.
   */
  silence: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals(["stale", "interrupted"]),
      lastReportAt: Schema.Natural,
      ageSeconds: Schema.Natural,
    }),
  ),
  /**
   * Names reported by the feeds that are not the name of either team, each with the team to which the service has
   * assigned it. While this list is not empty, the result of the match is uncertain.
   */
  unresolvedNames: Schema.Array(UnresolvedName),
  /** Current map and round according to the events processed so far. `null` before the first map. */
  current: Schema.NullOr(
    Schema.Struct({
      mapNumber: Schema.Natural,
      mapName: Schema.String,
      /** Number of the current round, or 0 before the first round of the map. */
      round: Schema.Natural,
      phase: Schema.NullOr(Schema.Literals(["freezetime", "live", "over"])),
      score: Schema.Tuple([Schema.Natural, Schema.Natural]),
    }),
  ),
  /** Statistics about each feed. They cover the data that this process has received since it started. */
  feeds: Schema.Array(FeedReport),
  /** Rejected facts, newest first, at most 20. */
  rejected: Schema.Array(Rejected),
})
export type FeedState = typeof FeedState.Type

/** Maximum number of quotes in one request to `/odds`. */
export const MAX_QUOTES = 500

export const Quotes = Schema.Array(MarketQuoted).check(Schema.isMaxLength(MAX_QUOTES))

/** Result of a request to `/odds`. `ignored` is the number of quotes that had already been received before. */
export const QuotesReceipt = Schema.Struct({ accepted: Schema.Natural, ignored: Schema.Natural })
export type QuotesReceipt = typeof QuotesReceipt.Type

const source = { source: Schema.optionalKey(Schema.Literals(["main", "backup"])) } as const

const receipt = success(Receipt, NoMeta)

export class Cs2FeedGroup extends HttpApiGroup.make("feed")
  .add(
    HttpApiEndpoint.post("register", "/matches", {
      query: tokenQuery,
      headers: registrationHeaders,
      payload: Registration,
      success: success(Registered, NoMeta),
      error: [...feedErrors, Conflict],
    }).annotateMerge(describe("Register a match", "Opens the match for facts and returns the URLs to send them to.")),
    HttpApiEndpoint.post("log", "/matches/:matchId/log", {
      params: matchParams,
      query: { ...tokenQuery, ...source },
      payload: Schema.String.pipe(HttpApiSchema.asText()),
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Server log", "Log lines of a CS2 server, as sent by `logaddress_add_http`.")),
    HttpApiEndpoint.post("gameState", "/matches/:matchId/gsi", {
      params: matchParams,
      query: { ...tokenQuery, ...source },
      payload: Schema.Record(Schema.String, Schema.Unknown),
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Game state", "A report of Game State Integration. `auth.token` is the feed token.")),
    HttpApiEndpoint.post("events", "/matches/:matchId/events", {
      params: matchParams,
      query: tokenQuery,
      payload: Facts,
      success: receipt,
      error: matchErrors,
    }).annotateMerge(describe("Facts", "Facts of another integration, in order. If one fact is invalid, all are rejected.")),
    HttpApiEndpoint.get("state", "/matches/:matchId", {
      params: matchParams,
      query: tokenQuery,
      success: success(FeedState, NoMeta),
      error: matchErrors,
    }).annotateMerge(
      describe(
        "State of a match's feeds",
        "Last reports, rejected facts with reasons, unresolved names, and the current round according to the feeds and to the server.",
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
        "Assign names to teams",
        "Assigns a name to a team, even after the end of the match. If the server had assigned it to the other team, the match is corrected. Its result is then certain.",
      ),
    ),
    HttpApiEndpoint.post("end", "/matches/:matchId/end", {
      params: matchParams,
      query: tokenQuery,
      payload: End,
      success: receipt,
      error: [...matchErrors, MatchOver],
    }).annotateMerge(
      describe(
        "End a match",
        "Ends a match that is not decided by its maps: a forfeit, a cancellation, or an early end. A repetition is ignored.",
      ),
    ),
    HttpApiEndpoint.post("odds", "/odds", {
      query: tokenQuery,
      payload: Quotes,
      success: success(QuotesReceipt, NoMeta),
      error: feedErrors,
    }).annotateMerge(
      describe(
        "Odds",
        "Quotes of betting markets, for any match, in chronological order. A repeated quote is ignored. If one quote is invalid, all are rejected.",
      ),
    ),
  )
  .middleware(RequestRules) {}

export const Cs2FeedApi = feedApi.add(Cs2FeedGroup).prefix(FEED_ROOT)
