/**
 * The live section of CS2. `/cs2/live/stream` and `/cs2/live/ws` are long-lived channels and no request-response endpoints: they
 * are described to OpenAPI in `streamPaths.ts` and served by the transports.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { NoMeta, Paging, pageQuery, paging, success } from "../envelope.ts"
import { MatchNotFound } from "../errors.ts"
import { RequestRules } from "../RequestRules.ts"
import {
  LiveEvents,
  LiveListItem,
  LivePlayerStats,
  LiveRounds,
  LiveSnapshotRow,
  LiveState,
  LiveTransport,
  MapOfMatch,
  Scoreboard,
} from "./liveModels.ts"

const params = { matchId: MatchId }

const Instant = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Number.isNaN(Date.parse(text)) ? "expected an ISO 8601 UTC time such as 2026-01-31T12:00:00Z" : undefined,
  ),
)

/** Maximum `limit` per list; larger values are reduced to it. */
export const liveLimits = { snapshots: 100, rounds: 100, events: 500 } as const

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class LiveApi extends HttpApiGroup.make("cs2-live")
  .add(
    HttpApiEndpoint.get("list", "/cs2/live", {
      success: success(Schema.Array(LiveListItem), Paging),
      query: pageQuery,
    }).annotateMerge(describe("Matches in progress", "`score` is the series (maps won); `currentMapScore` is the map being played.")),
    HttpApiEndpoint.get("socket", "/cs2/live/:matchId/socket", {
      params,
      success: success(LiveTransport, NoMeta),
      error: MatchNotFound,
    }).annotateMerge(describe("How to follow a match", "The WebSocket and SSE channels of a match, with examples.")),
    HttpApiEndpoint.get("scoreboard", "/cs2/live/:matchId/scoreboard", {
      params,
      success: success(Scoreboard, NoMeta),
      error: MatchNotFound,
    }).annotateMerge(describe("Live scoreboard", "Series, map, round, teams and players of a match at this moment.")),
    HttpApiEndpoint.get("state", "/cs2/live/:matchId/state", {
      params,
      success: success(LiveState, NoMeta),
      error: MatchNotFound,
    }).annotateMerge(describe("Live state", "The match with the bomb events and round ends of the map in play.")),
    HttpApiEndpoint.get("rounds", "/cs2/live/:matchId/rounds", {
      params,
      query: pageQuery,
      success: success(LiveRounds, Paging),
      error: MatchNotFound,
    }).annotateMerge(describe("Live rounds", "Rounds of the map in play, oldest first. `limit` is at most 100.")),
    HttpApiEndpoint.get("events", "/cs2/live/:matchId/events", {
      params,
      query: pageQuery,
      success: success(LiveEvents, Paging),
      error: MatchNotFound,
    }).annotateMerge(describe("Live events", "Kills, bomb plants and defuses, round ends; newest first. `limit` is at most 500.")),
    HttpApiEndpoint.get("playerStats", "/cs2/live/:matchId/player-stats", {
      params,
      query: pageQuery,
      success: success(LivePlayerStats, Schema.Struct({ ...paging, dataAvailable: Schema.Boolean, confirmationMaxAgeMs: Schema.Natural })),
      error: MatchNotFound,
    }).annotateMerge(describe("Live player stats", "Players of the map in play.")),
    HttpApiEndpoint.get("maps", "/cs2/live/:matchId/maps", {
      params,
      success: success(Schema.Array(MapOfMatch), NoMeta),
      error: MatchNotFound,
    }).annotateMerge(describe("Maps of a live match", "Every map begun so far, with its score, halves and players.")),
    HttpApiEndpoint.get("snapshots", "/cs2/live/:matchId/snapshots", {
      params,
      query: {
        ...pageQuery,
        from: Schema.optionalKey(Instant),
        to: Schema.optionalKey(Instant),
        source: Schema.optionalKey(Schema.String),
      },
      success: success(Schema.Array(LiveSnapshotRow), Paging),
      error: MatchNotFound,
    }).annotateMerge(
      describe("Snapshots for replay", "Recent snapshots, oldest first, at most 100 a page; `from` and `to` are inclusive."),
    ),
  )
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 live", description: "Matches in progress, down to the round." })) {}
