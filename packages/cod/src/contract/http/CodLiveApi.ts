/**
 * REST endpoints of live matches. The list has two paths. The live channels are `/cod/live/ws`, `/cod/live/stream` and
 * `/cod/live/{id}/replay`.
 */
import { NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { MatchNotFound } from "@matchpoint/contracts/http/errors"
import { describe } from "@matchpoint/contracts/http/listing"
import { gameLiveList } from "@matchpoint/contracts/http/live/AllLiveApi"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CodCurrentMap, CodStatus, CodTeam, LiveCodMatch } from "../LiveCodMatch.ts"

const { name, score, slug } = CodTeam.fields
const { gameMode, mapName, mapNumber } = CodCurrentMap.fields
const Team = Schema.Struct({ slug, name, score })

export const CodLiveItem = Schema.Struct({
  matchId: MatchId,
  team1: Team,
  team2: Team,
  currentMap: Schema.NullOr(Schema.Struct({ mapNumber, mapName, gameMode })).annotate({ description: "null between maps" }),
  bestOf: Schema.Natural,
  status: CodStatus,
  tournament: Schema.String,
  round: Schema.NullOr(Schema.String),
  startedAt: Schema.NullOr(Timestamp),
}).annotate({ identifier: "CodLiveItem" })
export type CodLiveItem = typeof CodLiveItem.Type

export const CodLiveList = Schema.Struct({
  success: Schema.Literal(true),
  isLive: Schema.Boolean.annotate({ description: "true if at least one match is live" }),
  count: Schema.Natural,
  data: Schema.Array(CodLiveItem),
}).annotate({ identifier: "CodLiveList" })
export type CodLiveList = typeof CodLiveList.Type

const list = { success: CodLiveList } as const
const words = describe("Matches in progress", "Score and map of every match in progress, in order of their numbers.")

export class CodLiveApi extends HttpApiGroup.make("cod-live")
  .add(
    gameLiveList("cod"),
    HttpApiEndpoint.get("live", "/cod/cdl/live", list).annotateMerge(words),
    HttpApiEndpoint.get("liveMatches", "/cod/matches/live", list).annotateMerge(words),
    HttpApiEndpoint.get("liveMatch", "/cod/cdl/live/:matchId", {
      params: { matchId: Schema.String },
      success: success(LiveCodMatch, NoMeta),
      error: MatchNotFound,
    }).annotateMerge(
      describe("One live match", "Maps, rounds, hill and statistics of all players. A match stays here for some time after its end."),
    ),
  )
  .annotate(NeverReused, true)
  .pipe(sectionReads("cod"))
  .annotateMerge(OpenApi.annotations({ title: "Call of Duty live", description: "Call of Duty League matches in progress." })) {}
