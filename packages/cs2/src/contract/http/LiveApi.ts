/**
 * The live section of CS2 with responses in format v1; `LiveApiV2.ts` describes format v2. `/cs2/live/stream` and
 * `/cs2/live/ws` are long-lived channels, so they are not part of this API: `StreamApi.ts` describes them for OpenAPI,
 * and the gateway implements them separately.
 */
import { Authentication } from "@matchpoint/contracts/http/Authentication"
import { pageQuery } from "@matchpoint/contracts/http/envelope"
import { MatchNotFound } from "@matchpoint/contracts/http/errors"
import { Instant } from "@matchpoint/contracts/http/instants"
import { Metering, Section } from "@matchpoint/contracts/http/Metering"
import { QueryRules } from "@matchpoint/contracts/http/QueryRules"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MatchId } from "../../rules/ids.ts"
import { LiveSource } from "../LiveMatch.ts"
import { answersV1 } from "./liveAnswers.ts"
import { shapeQuery } from "./shapes.ts"

/** Maximum `limit` of each list. Larger values are reduced to it. */
export const liveLimits = { list: 100, snapshots: 100, rounds: 100, events: 500, playerStats: 100 } as const

export const livePaths = {
  list: "/cs2/live",
  socket: "/cs2/live/:matchId/socket",
  scoreboard: "/cs2/live/:matchId/scoreboard",
  state: "/cs2/live/:matchId/state",
  rounds: "/cs2/live/:matchId/rounds",
  events: "/cs2/live/:matchId/events",
  playerStats: "/cs2/live/:matchId/player-stats",
  maps: "/cs2/live/:matchId/maps",
  snapshots: "/cs2/live/:matchId/snapshots",
} as const

export const liveParams = { matchId: MatchId }

export const snapshotQuery = {
  ...pageQuery,
  from: Schema.optionalKey(Instant),
  to: Schema.optionalKey(Instant),
  source: Schema.optionalKey(LiveSource.annotate({ description: "Only snapshots taken while this feed was in use" })),
} as const

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class LiveApi extends HttpApiGroup.make("cs2-live")
  .add(
    HttpApiEndpoint.get("list", livePaths.list, {
      query: { ...pageQuery, ...shapeQuery },
      success: answersV1.list,
    }).annotateMerge(
      describe(
        "Matches in progress",
        "`score` is the series (maps won); `currentMapScore` is the map being played. `limit` is at most 100.",
      ),
    ),
    HttpApiEndpoint.get("socket", livePaths.socket, {
      params: liveParams,
      query: shapeQuery,
      success: answersV1.socket,
      error: MatchNotFound,
    }).annotateMerge(describe("How to follow a match", "The WebSocket and SSE channels of a match, with example messages.")),
    HttpApiEndpoint.get("scoreboard", livePaths.scoreboard, {
      params: liveParams,
      query: shapeQuery,
      success: answersV1.scoreboard,
      error: MatchNotFound,
    }).annotateMerge(describe("Live scoreboard", "Current series, map, round, teams and players of a match.")),
    HttpApiEndpoint.get("state", livePaths.state, {
      params: liveParams,
      query: shapeQuery,
      success: answersV1.state,
      error: MatchNotFound,
    }).annotateMerge(
      describe(
        "Live state",
        "The match, with the bomb events and round ends of the current map. In shape v2, this is exactly the document that the stream deltas patch.",
      ),
    ),
    HttpApiEndpoint.get("rounds", livePaths.rounds, {
      params: liveParams,
      query: { ...pageQuery, ...shapeQuery },
      success: answersV1.rounds,
      error: MatchNotFound,
    }).annotateMerge(describe("Live rounds", "Rounds of the current map, oldest first. `limit` is at most 100.")),
    HttpApiEndpoint.get("events", livePaths.events, {
      params: liveParams,
      query: { ...pageQuery, ...shapeQuery },
      success: answersV1.events,
      error: MatchNotFound,
    }).annotateMerge(describe("Live events", "Kills, bomb plants, defuses and round ends, newest first. `limit` is at most 500.")),
    HttpApiEndpoint.get("playerStats", livePaths.playerStats, {
      params: liveParams,
      query: { ...pageQuery, ...shapeQuery },
      success: answersV1.playerStats,
      error: MatchNotFound,
    }).annotateMerge(describe("Live player stats", "Player statistics of the current map. `limit` is at most 100.")),
    HttpApiEndpoint.get("maps", livePaths.maps, {
      params: liveParams,
      query: shapeQuery,
      success: answersV1.maps,
      error: MatchNotFound,
    }).annotateMerge(describe("Maps of a live match", "Every map started so far, with its score, halves and players.")),
    HttpApiEndpoint.get("snapshots", livePaths.snapshots, {
      params: liveParams,
      query: { ...snapshotQuery, ...shapeQuery },
      success: answersV1.snapshots,
      error: MatchNotFound,
    }).annotateMerge(
      describe(
        "Snapshots for replay",
        "Recent snapshots, oldest first. `from` and `to` are inclusive. `source` selects one feed, `live` or `live_backup`. `limit` is at most 100.",
      ),
    ),
  )
  .annotate(Section, "cs2")
  .middleware(QueryRules)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 live", description: "Matches in progress, in detail down to the round." })) {}
