/** Analytics of players and teams. The rules define the formulas. */
import { NotCovered, NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, describe, limitOf } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { boardStats, definitionOf, trendStats } from "../../../rules/analytics/stats.ts"
import { choiceText, matchPages, TeamParameter } from "../data/references.ts"
import { historyNote, seasonQuery } from "./analyticsModels.ts"
import { CodAnalyticsBoard, CodClutchFactor, CodComparison, CodPlayerHeadToHead, CodTrends, periods } from "./playerAnalyticsModels.ts"
import { CodMapComparison, CodTeamHeadToHead, CodTeamStyle } from "./teamAnalyticsModels.ts"

/** Players and teams to compare, and the points of a trend. */
export const ANALYTICS_LIMITS = { players: 5, teams: 5, points: { usual: 25, max: 100 } } as const

const PlayerParameter = StorableText.check(Schema.isPattern(/^\P{Cc}{1,80}$/u)).annotate({
  description: "Id or handle of a player, in any case",
})

/** Comma-separated, without duplicates. */
const listOf = <Element extends Schema.Codec<string, string>>(element: Element, most: number, least: number, description: string) =>
  StorableText.check(Schema.isMaxLength(1_000)).pipe(
    Schema.decodeTo(
      Schema.Array(element).check(Schema.isMinLength(least), Schema.isMaxLength(most)),
      SchemaTransformation.transform({
        decode: (list): ReadonlyArray<string> => [...new Set(list.split(",").map((part) => part.trim()))],
        encode: (parts: ReadonlyArray<string>) => parts.join(","),
      }),
    ),
    Schema.annotate({ description }),
  )

const errors = [...archiveErrors, NotCovered, NotFound] as const
const formulas = boardStats
  .map((stat) => {
    const { formula, minimumSample, sampleOf } = definitionOf(stat)
    return `- \`${stat}\`: ${formula}; at least ${minimumSample} ${sampleOf}`
  })
  .join("\n")

export class CodPlayerAnalyticsApi extends HttpApiGroup.make("cod-player-analytics")
  .add(
    HttpApiEndpoint.get("trends", "/cod/analytics/players/:id/trends", {
      params: { id: PlayerParameter },
      query: {
        ...seasonQuery,
        stat: Schema.optionalKey(choiceText(`One of ${trendStats.join(", ")}. Default \`kd\``)),
        period: Schema.optionalKey(Schema.Literals(periods).annotate({ description: "What a point is. Default `match`" })),
        limit: limitOf(ANALYTICS_LIMITS.points.usual),
      },
      success: CodTrends,
      error: [...errors, UnknownValue],
    }).annotateMerge(
      describe(
        "Trend of a player",
        `The newest points of a statistic, oldest first. \`limit\` is the number of points, at most ${ANALYTICS_LIMITS.points.max}. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("clutchFactor", "/cod/analytics/players/:id/clutch-factor", {
      params: { id: PlayerParameter },
      query: seasonQuery,
      success: CodClutchFactor,
      error: errors,
    }).annotateMerge(
      describe(
        "Clutches of a player",
        `Clutches, first bloods and traded deaths. Imported matches have no clutches and no trades; \`gaps\` says so. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("headToHead", "/cod/analytics/head-to-head", {
      query: { ...seasonQuery, player1: PlayerParameter, player2: PlayerParameter },
      success: CodPlayerHeadToHead,
      error: errors,
    }).annotateMerge(describe("Head-to-head of two players", `Matches in which both played, on opposite sides. ${historyNote}`)),
    HttpApiEndpoint.get("compare", "/cod/analytics/compare", {
      query: {
        ...seasonQuery,
        players: listOf(
          PlayerParameter,
          ANALYTICS_LIMITS.players,
          1,
          `Ids or handles of players, separated by commas: up to ${ANALYTICS_LIMITS.players}`,
        ),
      },
      success: CodComparison,
      error: errors,
    }).annotateMerge(describe("Compare players", `Kills per death, and damage and kills per map. ${historyNote}`)),
    HttpApiEndpoint.get("board", "/cod/analytics/leaderboard/:stat", {
      params: { stat: choiceText(`One of ${boardStats.join(", ")}`) },
      query: { ...seasonQuery, ...matchPages },
      success: CodAnalyticsBoard,
      error: [...errors, UnknownValue],
    }).annotateMerge(
      describe("Analytics leaderboard", `Best value first, then the larger sample. The statistics:\n\n${formulas}\n\n${historyNote}`),
    ),
  )
  .pipe(sectionReads("cod"))
  .annotateMerge(
    OpenApi.annotations({ title: "Call of Duty player analytics", description: "Trends, clutches and comparisons of players." }),
  ) {}

export class CodTeamAnalyticsApi extends HttpApiGroup.make("cod-team-analytics")
  .add(
    HttpApiEndpoint.get("style", "/cod/analytics/teams/:slug/style", {
      params: { slug: TeamParameter },
      query: seasonQuery,
      success: CodTeamStyle,
      error: errors,
    }).annotateMerge(
      describe("Playstyle of a team", `Compared with all teams of the season, or of all seasons. Preferred maps and modes. ${historyNote}`),
    ),
    HttpApiEndpoint.get("headToHead", "/cod/analytics/teams/head-to-head", {
      query: { team1: TeamParameter, team2: TeamParameter },
      success: CodTeamHeadToHead,
      error: errors,
    }).annotateMerge(describe("Head-to-head of two teams", `All matches, and those of the newest season. ${historyNote}`)),
    HttpApiEndpoint.get("mapComparison", "/cod/analytics/teams/map-comparison", {
      query: {
        ...seasonQuery,
        teams: listOf(TeamParameter, ANALYTICS_LIMITS.teams, 1, `Slugs of teams, separated by commas: up to ${ANALYTICS_LIMITS.teams}`),
      },
      success: CodMapComparison,
      error: errors,
    }).annotateMerge(describe("Compare teams by map", `Record of each team on each map and mode. ${historyNote}`)),
  )
  .pipe(sectionReads("cod"))
  .annotateMerge(OpenApi.annotations({ title: "Call of Duty team analytics", description: "Playstyle and records of teams." })) {}
