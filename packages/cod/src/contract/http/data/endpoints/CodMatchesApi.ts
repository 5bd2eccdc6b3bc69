import { wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { DayParameter } from "@matchpoint/contracts/http/instants"
import { archiveErrors, describe, Flag } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CodMapResults, CodMatchDetail, CodMatchList, CodUpcomingList } from "../matchModels.ts"
import { CodMapPlayerStats, CodMatchPlayerStats } from "../playerModels.ts"
import {
  CodMatchId,
  MATCH_LIMITS,
  MapNumber,
  matchPages,
  oneOf,
  SeasonParameter,
  TeamParameter,
  TournamentParameter,
} from "../references.ts"

const filters = {
  ...matchPages,
  team: Schema.optionalKey(TeamParameter),
  tournamentId: Schema.optionalKey(TournamentParameter),
  season: Schema.optionalKey(SeasonParameter),
} as const

export const matchesQuery = {
  ...filters,
  startDate: Schema.optionalKey(DayParameter.annotate({ description: "First day, UTC: `2026-01-31`" })),
  endDate: Schema.optionalKey(DayParameter.annotate({ description: "Last day, UTC, inclusive" })),
  days: Schema.optionalKey(
    wholeNumber({ minimum: 1, maximum: 3_650 }).annotate({ description: "Only matches of the last N days. Excludes `startDate`" }),
  ),
} as const

export const upcomingQuery = filters

const completed = { query: matchesQuery, success: CodMatchList, error: archiveErrors } as const
const ofMatch = { params: { matchId: CodMatchId }, error: [...archiveErrors, NotFound] } as const

const limitNote = `\`limit\` is at most ${MATCH_LIMITS.max}.`
const completedText = describe(
  "Finished matches of the league",
  `Newest first. Without a filter, all finished matches. ${limitNote} Older matches than your plan's history are left out.`,
)
const historyNote = "A match before your plan's history is rejected with 403 `HISTORY_LIMIT`."

export class CodMatchesApi extends HttpApiGroup.make("cod-matches")
  .add(
    HttpApiEndpoint.get("list", "/cod/matches", completed).annotateMerge(completedText),
    HttpApiEndpoint.get("recent", "/cod/matches/recent", completed).annotateMerge(completedText),
    HttpApiEndpoint.get("upcoming", "/cod/matches/upcoming", {
      query: upcomingQuery,
      success: CodUpcomingList,
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Coming matches of the league",
        `Matches that have not ended, in the order of their start. Their scores are null. \`GET /cod/matches/live\` has the scores of live matches. ${limitNote}`,
      ),
    ),
    HttpApiEndpoint.get("byId", "/cod/matches/:matchId", { ...ofMatch, success: oneOf(CodMatchDetail) }).annotateMerge(
      describe("One match of the league", `Teams, maps and totals of the players. ${historyNote}`),
    ),
    HttpApiEndpoint.get("maps", "/cod/matches/:matchId/maps", { ...ofMatch, success: CodMapResults }).annotateMerge(
      describe("Maps of a match", `The played maps in order. ${historyNote}`),
    ),
    HttpApiEndpoint.get("mapPlayers", "/cod/matches/:matchId/maps/:mapNumber/player-stats", {
      ...ofMatch,
      params: { ...ofMatch.params, mapNumber: MapNumber },
      success: oneOf(CodMapPlayerStats),
    }).annotateMerge(describe("Players on a map", `Statistics that the source does not count are null. ${historyNote}`)),
    HttpApiEndpoint.get("players", "/cod/matches/:matchId/player-stats", {
      ...ofMatch,
      query: { includeMaps: Schema.optionalKey(Flag.annotate({ description: "Default true: with the maps of each player" })) },
      success: oneOf(CodMatchPlayerStats),
    }).annotateMerge(describe("Players of a match", `Totals of all maps. A statistic that no map counts is null. ${historyNote}`)),
  )
  .pipe(sectionReads("cod"))
  .annotateMerge(OpenApi.annotations({ title: "Call of Duty matches", description: "Matches, maps and statistics of players." })) {}
