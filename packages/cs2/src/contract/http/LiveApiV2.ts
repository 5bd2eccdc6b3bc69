/**
 * The live section with responses in format v2. A separate contract, so that typed clients, which use
 * `MatchpointApiV2`, always request v2. The server serves both formats on the same paths, and the OpenAPI document
 * lists both for each path.
 */
import { Authentication } from "@matchpoint/contracts/http/Authentication"
import { pageQuery } from "@matchpoint/contracts/http/envelope"
import { MatchNotFound } from "@matchpoint/contracts/http/errors"
import { Metering, Section } from "@matchpoint/contracts/http/Metering"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { liveParams, livePaths, snapshotQuery } from "./LiveApi.ts"
import { answersV2 } from "./liveAnswers.ts"

const v2 = { shape: Schema.Literal("v2") } as const

const ofMatch = { params: liveParams, error: MatchNotFound } as const

export class LiveApiV2 extends HttpApiGroup.make("cs2-live")
  .add(
    HttpApiEndpoint.get("list", livePaths.list, { query: { ...pageQuery, ...v2 }, success: answersV2.list }),
    HttpApiEndpoint.get("socket", livePaths.socket, { ...ofMatch, query: v2, success: answersV2.socket }),
    HttpApiEndpoint.get("scoreboard", livePaths.scoreboard, { ...ofMatch, query: v2, success: answersV2.scoreboard }),
    HttpApiEndpoint.get("state", livePaths.state, { ...ofMatch, query: v2, success: answersV2.state }),
    HttpApiEndpoint.get("rounds", livePaths.rounds, {
      ...ofMatch,
      query: { ...pageQuery, ...v2 },
      success: answersV2.rounds,
    }),
    HttpApiEndpoint.get("events", livePaths.events, {
      ...ofMatch,
      query: { ...pageQuery, ...v2 },
      success: answersV2.events,
    }),
    HttpApiEndpoint.get("playerStats", livePaths.playerStats, {
      ...ofMatch,
      query: { ...pageQuery, ...v2 },
      success: answersV2.playerStats,
    }),
    HttpApiEndpoint.get("maps", livePaths.maps, { ...ofMatch, query: v2, success: answersV2.maps }),
    HttpApiEndpoint.get("snapshots", livePaths.snapshots, {
      ...ofMatch,
      query: { ...snapshotQuery, ...v2 },
      success: answersV2.snapshots,
    }),
  )
  .annotate(Section, "cs2")
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules) {}

/** For `HttpApiClient.make`. `root` is the same as that of `MatchpointApi`. */
export const apiV2 = <const Root extends `/${string}`>(root: Root) => HttpApi.make("matchpoint-v2").add(LiveApiV2).prefix(root)
