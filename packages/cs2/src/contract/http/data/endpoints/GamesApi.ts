/** Maps of a match. The API specification calls them "map" or "game"; if it lists both, an endpoint has both names. */
import { success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { archiveErrors, cursorQuery, describe, limitOf, pagedQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GameId } from "../../../../rules/ids.ts"
import { Game, GamePlayerStats } from "../gameModels.ts"
import { GameEvent, GameEventsMeta, GameEventType, GameRound, RoundsMeta, RoundsUnavailable } from "../gameTimelineModels.ts"
import { AvailablePaging } from "./MatchesApi.ts"

const ofGame = { params: { gameId: GameId }, error: [...archiveErrors, NotFound] } as const
const ofMap = { params: { mapId: GameId }, error: [...archiveErrors, NotFound] } as const

const stats = success(Schema.Array(GamePlayerStats), AvailablePaging)
const statsNote =
  "One row per player: team 1 first, then best rating first. `/games/{id}/stats`, `/games/{id}/player-stats` and both paths under `/maps` return the same."
const rounds = success(Schema.Union([Schema.Array(GameRound), RoundsUnavailable]), RoundsMeta)
const roundsQuery = { ...pagedQuery, limit: limitOf(200) } as const
const roundsNote =
  "Winner, side, end and purchases of each round. If the rounds are unknown, `data` is an object with `dataAvailable: false`. `/games` and `/maps` return the same. `limit` is at most 200."

export class GamesApi extends HttpApiGroup.make("cs2-games")
  .add(
    HttpApiEndpoint.get("byId", "/cs2/games/:gameId", {
      ...ofGame,
      success: success(Game, Schema.Struct({ dataAvailable: Schema.Boolean, source: Schema.String })),
    }).annotateMerge(describe("One game", "Score, halves, overtime, player statistics and objectives of one map.")),
    HttpApiEndpoint.get("stats", "/cs2/games/:gameId/stats", { ...ofGame, success: stats }).annotateMerge(
      describe("Player statistics of a game", statsNote),
    ),
    HttpApiEndpoint.get("playerStats", "/cs2/games/:gameId/player-stats", { ...ofGame, success: stats }).annotateMerge(
      describe("Player statistics of a game", statsNote),
    ),
    HttpApiEndpoint.get("mapStats", "/cs2/maps/:mapId/stats", { ...ofMap, success: stats }).annotateMerge(
      describe("Player statistics of a map", statsNote),
    ),
    HttpApiEndpoint.get("mapPlayerStats", "/cs2/maps/:mapId/player-stats", { ...ofMap, success: stats }).annotateMerge(
      describe("Player statistics of a map", statsNote),
    ),
    HttpApiEndpoint.get("rounds", "/cs2/games/:gameId/rounds", { ...ofGame, query: roundsQuery, success: rounds }).annotateMerge(
      describe("Rounds of a game", roundsNote),
    ),
    HttpApiEndpoint.get("mapRounds", "/cs2/maps/:mapId/rounds", { ...ofMap, query: roundsQuery, success: rounds }).annotateMerge(
      describe("Rounds of a map", roundsNote),
    ),
    HttpApiEndpoint.get("events", "/cs2/games/:gameId/events", {
      ...ofGame,
      query: {
        ...cursorQuery,
        limit: limitOf(500),
        type: Schema.optionalKey(GameEventType.annotate({ description: "Only events of this type" })),
        round: Schema.optionalKey(wholeNumber({ minimum: 1 }).annotate({ description: "Only this round" })),
      },
      success: success(Schema.Array(GameEvent), GameEventsMeta),
    }).annotateMerge(
      describe(
        "Events of a game",
        "Kills, utility, bomb and round events in the order they happened. `limit` is at most 5,000 (default 500).",
      ),
    ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(
    OpenApi.annotations({
      title: "CS2 maps and rounds",
      description: "Scores, player statistics, rounds and events of each map of a match.",
    }),
  ) {}
