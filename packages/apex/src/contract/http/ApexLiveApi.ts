/**
 * Endpoints about lobbies in progress. The long-lived channels are those of every game: `/apex/live/ws`,
 * `/apex/live/stream` and `/apex/live/{id}/replay`.
 */
import { NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { NoMeta, Paging, pageQuery, success } from "@matchpoint/contracts/http/envelope"
import { MatchNotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { describe } from "@matchpoint/contracts/http/listing"
import { gameLiveList } from "@matchpoint/contracts/http/live/AllLiveApi"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LiveApexRow } from "../apexLive.ts"
import { LiveApexMatch } from "../LiveApexMatch.ts"
import { RegionParameter, SeriesId } from "./data/references.ts"

/** Larger values of `limit` are reduced to it. */
export const APEX_LIVE_LIMIT = 100

export class ApexLiveApi extends HttpApiGroup.make("apex-live")
  .add(
    gameLiveList("apex"),
    HttpApiEndpoint.get("list", "/apex/algs/live", {
      query: { ...pageQuery, region: Schema.optionalKey(RegionParameter) },
      success: success(Schema.Array(LiveApexRow), Paging),
      error: UnknownValue,
    }).annotateMerge(
      describe("Lobbies in progress", "Game, ring, teams left and the leaders of every lobby in progress. `limit` is at most 100."),
    ),
    HttpApiEndpoint.get("one", "/apex/algs/live/:seriesId", {
      params: { seriesId: SeriesId },
      success: success(LiveApexMatch, NoMeta),
      error: MatchNotFound,
    }).annotateMerge(
      describe(
        "One live lobby",
        "Moving standings, the game in progress with every player, and the games played. A lobby stays here for some time after its end.",
      ),
    ),
  )
  .annotate(NeverReused, true)
  .pipe(sectionReads("apex"))
  .annotateMerge(OpenApi.annotations({ title: "Apex live", description: "Apex lobbies in progress." })) {}
