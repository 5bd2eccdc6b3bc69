/** Season leaderboards of the main tours. The rules define the boards and their formulas. */
import { paging, success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, describe, limitOf, pagedQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { boardNames, boards, formulaOf } from "../../../../rules/archive/boards.ts"
import { SummariesReady } from "../../SummariesReady.ts"
import { TennisPlayerRef } from "../matchModels.ts"
import { SurfaceParameter, surfaces, TourName, TourParameter } from "../references.ts"

export const BOARD_LIMITS = { usual: 25, max: 100 } as const

export const BoardRow = Schema.Struct({
  rank: Schema.Natural.annotate({ description: "Players with equal values have the same rank" }),
  player: TennisPlayerRef,
  value: Schema.Finite.annotate({ description: "A number, or a share from 0 to 1, see `meta.unit`" }),
  numerator: Schema.Natural,
  denominator: Schema.Natural,
  matches: Schema.Natural.annotate({ description: "Played matches of the season, also those without statistics" }),
}).annotate({ identifier: "TennisBoardRow" })
export type BoardRow = typeof BoardRow.Type

export const BoardMeta = Schema.Struct({
  ...paging,
  board: Schema.Literals(boardNames),
  tour: TourName,
  year: Schema.NullOr(Schema.Natural).annotate({ description: "null if the archive has no match of the tour" }),
  surface: Schema.NullOr(Schema.Literals(surfaces)),
  unit: Schema.Literals(["count", "share"]),
  formula: Schema.String.annotate({ description: "What `value` is: `finals won / finals`" }),
  minimum_sample: Schema.Struct({
    denominator: Schema.Natural.annotate({ description: "Smallest denominator with which a player is listed" }),
    of: Schema.String.annotate({ description: "What the denominator counts: `finals`" }),
  }),
}).annotate({ identifier: "TennisBoardMeta" })

export const boardQuery = {
  ...pagedQuery,
  limit: limitOf(BOARD_LIMITS.usual),
  tour: Schema.optionalKey(TourParameter.annotate({ description: "`ATP` or `WTA`. Default `ATP`" })),
  year: Schema.optionalKey(
    wholeNumber({ minimum: 1, maximum: 9_999 }).annotate({ description: "Season. Default: the newest season with matches" }),
  ),
  surface: Schema.optionalKey(SurfaceParameter),
} as const

const formulas = boardNames
  .map((name) => `- \`${name}\`: ${formulaOf(name)}; at least ${boards[name].minimumSample} ${boards[name].denominator}`)
  .join("\n")

export class LeaderboardsApi extends HttpApiGroup.make("tennis-leaderboards")
  .add(
    HttpApiEndpoint.get("board", "/tennis/leaderboards/:board", {
      params: { board: Schema.Literals(boardNames).annotate({ description: "Name of the board" }) },
      query: boardQuery,
      success: success(Schema.Array(BoardRow), BoardMeta),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe(
        "Season leaderboard",
        `Singles matches of the main tours, best value first, then the larger sample. The boards:\n\n${formulas}\n\nA season is the year in the id of the tournament. Plans with a limited history count only matches within it. \`limit\` is at most ${BOARD_LIMITS.max}.`,
      ),
    ),
  )
  .middleware(SummariesReady)
  .pipe(sectionReads("tennis"))
  .annotateMerge(OpenApi.annotations({ title: "Tennis leaderboards", description: "Leaders of a season in nine statistics." })) {}
