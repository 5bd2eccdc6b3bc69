import { NotCovered, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, describe, limitOf } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { boardModes, boardStats, statMeanings, statsOf, USUAL_STAT } from "../../../../rules/archive/boards.ts"
import { CodBoard, CodEarnings, CodSearchResults } from "../boardModels.ts"
import { choiceText, oneOf, SeasonParameter } from "../references.ts"

export const BOARD_LIMITS = { usual: 25, earnings: 50, search: 5, max: 100 } as const

const meanings = boardStats.map((stat) => `- \`${stat}\`: ${statMeanings[stat]}`).join("\n")
const ofModes = boardModes.map((mode) => `- \`${mode}\`: ${statsOf(mode).join(", ")}`).join("\n")

const searchTypes = ["player", "team", "tournament"] as const

const SearchText = StorableText.check(Schema.isPattern(/^\P{Cc}{1,100}$/u)).pipe(
  Schema.decodeTo(Schema.String.check(Schema.isMinLength(1)), SchemaTransformation.trim()),
)

export class CodBoardsApi extends HttpApiGroup.make("cod-boards")
  .add(
    HttpApiEndpoint.get("earnings", "/cod/leaderboards/earnings", {
      query: {
        season: Schema.optionalKey(SeasonParameter.annotate({ description: "Year in which the season ends. Default: all seasons" })),
        limit: limitOf(BOARD_LIMITS.earnings),
      },
      success: CodEarnings,
      error: [...archiveErrors, NotCovered],
    }).annotateMerge(
      describe(
        "Prize money of players",
        `Highest first, in US dollars. \`limit\` is at most ${BOARD_LIMITS.max}. Plans with a limited history count only seasons within it.`,
      ),
    ),
    HttpApiEndpoint.get("board", "/cod/leaderboards/:mode", {
      params: { mode: choiceText(`One of ${boardModes.join(", ")}`) },
      query: {
        stat: Schema.optionalKey(choiceText(`One of ${boardStats.join(", ")}. Default \`${USUAL_STAT}\``)),
        season: Schema.optionalKey(SeasonParameter.annotate({ description: "Year in which the season ends. Default: the newest season" })),
        limit: limitOf(BOARD_LIMITS.usual),
      },
      success: CodBoard,
      error: [...archiveErrors, NotCovered, UnknownValue],
    }).annotateMerge(
      describe(
        "Leaders of a season",
        `Best value first, then more maps. Sums of a season:\n\n${meanings}\n\nStatistics of each mode:\n\n${ofModes}\n\nOther combinations are rejected with 422 and the valid values. Plans with a limited history count only matches within it. \`limit\` is at most ${BOARD_LIMITS.max}.`,
      ),
    ),
    HttpApiEndpoint.get("search", "/cod/search", {
      query: {
        q: SearchText.annotate({ description: "Text as typed by a user" }),
        type: Schema.optionalKey(Schema.Literals(searchTypes).annotate({ description: "Only results of this type. Default: all types" })),
        limit: limitOf(BOARD_LIMITS.search),
      },
      success: Schema.Struct({ ...oneOf(CodSearchResults).fields, ...CodSearchResults.fields }),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Search in the league",
        `Players by handle, real name and id, teams by full name, short name and slug, tournaments by name; best first. Similar names are found too. \`data\` repeats \`query\` and \`results\`. \`limit\` is per type, at most ${BOARD_LIMITS.max}.`,
      ),
    ),
  )
  .pipe(sectionReads("cod"))
  .annotateMerge(OpenApi.annotations({ title: "Call of Duty leaderboards", description: "Leaders of a season, earnings and search." })) {}
