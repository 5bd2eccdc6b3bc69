/** The live matches of all games. Each entry has a summary that its game defines; the other fields are the same. */
import { GameName, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AnyDocument } from "../../stream/frames.ts"
import { Timestamp } from "../../timestamp.ts"
import { Authentication } from "../Authentication.ts"
import { ConditionalGet, NeverReused } from "../ConditionalGet.ts"
import { Paging, pageQuery, success } from "../envelope.ts"
import { GameNotIncluded } from "../errors.ts"
import { Metering } from "../Metering.ts"
import { QueryRules } from "../QueryRules.ts"
import { RequestRules } from "../RequestRules.ts"

/** Larger values are reduced to it. */
export const allLiveLimit = 100

export const AnyLiveMatch = Schema.Struct({
  game: GameName,
  matchId: MatchId,
  status: Schema.String,
  source: Schema.String.annotate({ description: "The feed in use" }),
  cursor: Schema.Struct({ epoch: Schema.Natural, seq: Schema.Natural }).annotate({
    description: "Current cursor of the match. `resume` on the live channels continues after it",
  }),
  publishedAt: Timestamp,
  match: AnyDocument.annotate({ description: "Summary of the match for lists, in shape v1" }),
}).annotate({ identifier: "AnyLiveMatch" })
export type AnyLiveMatch = typeof AnyLiveMatch.Type

/** The list of one game. CS2 has rows of its own at this path. */
export const gameLiveList = <const Game extends string>(game: Game) =>
  HttpApiEndpoint.get("liveList", `/${game}/live`, {
    query: pageQuery,
    success: success(Schema.Array(AnyLiveMatch), Paging),
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Live matches",
      description: `Live matches with cursors, in the form of \`GET /live?game=${game}\`, ordered by match number. \`limit\` is at most 100.`,
    }),
  )

export class AllLiveApi extends HttpApiGroup.make("live")
  .add(
    HttpApiEndpoint.get("list", "/live", {
      query: {
        ...pageQuery,
        game: Schema.optionalKey(GameName.annotate({ description: "Only matches of this game, for example `cs2`" })),
      },
      success: success(Schema.Array(AnyLiveMatch), Paging),
      error: GameNotIncluded,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Matches in progress of all games",
        description:
          "Matches of every game that your plan includes, or of one game, ordered by game and match number. `limit` is at most 100.",
      }),
    ),
  )
  .annotate(NeverReused, true)
  .middleware(QueryRules)
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "Live", description: "Matches in progress of all games." })) {}
