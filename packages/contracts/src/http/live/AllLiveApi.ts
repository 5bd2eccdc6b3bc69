/** Live matches of every game in one list. What is shown of a match is its game's; everything around it is the same for all. */
import { GameName, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AnyDocument } from "../../stream/frames.ts"
import { Timestamp } from "../../timestamp.ts"
import { Authentication } from "../Authentication.ts"
import { ConditionalGet, Moving } from "../ConditionalGet.ts"
import { Paging, pageQuery, success } from "../envelope.ts"
import { GameNotIncluded } from "../errors.ts"
import { Metering } from "../Metering.ts"
import { RequestRules } from "../RequestRules.ts"

/** Maximum `limit`; larger values are reduced to it. */
export const allLiveLimit = 100

export const AnyLiveMatch = Schema.Struct({
  game: GameName,
  matchId: MatchId,
  status: Schema.String,
  source: Schema.String.annotate({ description: "The feed in use" }),
  cursor: Schema.Struct({ epoch: Schema.Natural, seq: Schema.Natural }).annotate({
    description: "Where the match is: `resume` of the live channels goes on after it",
  }),
  publishedAt: Timestamp,
  match: AnyDocument.annotate({ description: "What a list needs of the game's document, in shape v1" }),
}).annotate({ identifier: "AnyLiveMatch" })
export type AnyLiveMatch = typeof AnyLiveMatch.Type

export class AllLiveApi extends HttpApiGroup.make("live")
  .add(
    HttpApiEndpoint.get("list", "/live", {
      query: {
        ...pageQuery,
        game: Schema.optionalKey(GameName.annotate({ description: "Matches of this game alone, e.g. `cs2`" })),
      },
      success: success(Schema.Array(AnyLiveMatch), Paging),
      error: GameNotIncluded,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Matches in progress, of every game",
        description: "Of the games that your plan includes, or of one of them. By game and match number; `limit` is at most 100.",
      }),
    ),
  )
  .annotate(Moving, true)
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "Live", description: "Matches in progress, whatever the game." })) {}
