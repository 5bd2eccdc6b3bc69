import { UnknownValue, ValidationError } from "@matchpoint/contracts/http/errors"
import { reading } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { PlayerAnalytics } from "../../archive/analytics/PlayerAnalytics.ts"
import { CodLeague } from "../../archive/league/CodLeague.ts"
import { ANALYTICS_LIMITS } from "../../contract/http/analytics/CodAnalyticsApi.ts"
import { CodApi } from "../../contract/http/CodApi.ts"
import { noSums, type SumField } from "../../rules/analytics/playerSums.ts"
import { boardStats, definitionOf, sumsFor, trendStats } from "../../rules/analytics/stats.ts"
import { matchList, matchPage } from "../archive/pages.ts"
import { findPlayer, findPlayers, scopeOf } from "./analyticsScope.ts"
import { clutchAnswer, comparisonAnswer, headToHeadAnswer, trendsAnswer } from "./playerAnswers.ts"

const comparedFields = sumsFor("kd", "damage", "kills")

const clutchFields: ReadonlyArray<SumField> = [
  ...sumsFor("first_blood_rate", "traded_death_rate"),
  "firstBloodMaps",
  "firstBloods",
  "clutchMaps",
  "clutch1v1Attempts",
  "clutch1v1Wins",
  "clutch1v2Attempts",
  "clutch1v2Wins",
  "clutch1v3Attempts",
  "clutch1v3Wins",
]

/** Fails with 422 if no statistic has this name. */
const readStat = <Stat extends string>(name: string, valid: ReadonlyArray<Stat>): Effect.Effect<Stat, UnknownValue> => {
  const stat = valid.find((one) => one === name.toLowerCase())
  return stat === undefined ? Effect.fail(UnknownValue.of("stat", name, valid)) : Effect.succeed(stat)
}

export const CodPlayerAnalyticsHandlers = endpointGroup(
  CodApi,
  "cod-player-analytics",
  Effect.fn(function* (handlers) {
    const analytics = yield* PlayerAnalytics
    const league = yield* CodLeague

    return handlers.handleAll({
      trends: reading(function* ({
        params: { id },
        query: { limit = ANALYTICS_LIMITS.points.usual, period = "match", season, stat: named = "kd" },
      }) {
        const stat = yield* readStat(named, trendStats)
        const scope = yield* scopeOf(league, season)
        const player = yield* findPlayer(analytics, id)
        const points = yield* analytics.series(player.playerId, period, scope, sumsFor(stat), Math.min(limit, ANALYTICS_LIMITS.points.max))
        return { success: true as const, season: season ?? null, ...trendsAnswer(player, stat, period, points) }
      }),
      clutchFactor: reading(function* ({ params: { id }, query: { season } }) {
        const scope = yield* scopeOf(league, season)
        const player = yield* findPlayer(analytics, id)
        const sums = (yield* analytics.sums([player.playerId], scope, clutchFields)).get(player.playerId) ?? noSums
        const places = yield* analytics.places(player.playerId, scope)
        return { success: true as const, season: season ?? null, ...clutchAnswer(player, sums, places) }
      }),
      headToHead: reading(function* ({ query: { player1: name1, player2: name2, season } }) {
        const scope = yield* scopeOf(league, season)
        const player1 = yield* findPlayer(analytics, name1)
        const player2 = yield* findPlayer(analytics, name2)
        if (player1.playerId === player2.playerId) {
          return yield* ValidationError.because("player2 must be another player than player1", { parameter: "player2" })
        }
        const meetings = yield* analytics.meetings(player1.playerId, player2.playerId, scope)
        return { success: true as const, season: season ?? null, ...headToHeadAnswer(player1, player2, meetings) }
      }),
      compare: reading(function* ({ query: { players: names, season } }) {
        const scope = yield* scopeOf(league, season)
        const players = yield* findPlayers(analytics, names)
        const sums = yield* analytics.sums(
          players.map(({ playerId }) => playerId),
          scope,
          comparedFields,
        )
        return { success: true as const, season: season ?? null, ...comparisonAnswer(players, sums) }
      }),
      board: reading(function* ({ params, query: { season, ...pages } }) {
        const stat = yield* readStat(params.stat, boardStats)
        const scope = yield* scopeOf(league, season)
        const page = matchPage(pages)
        const { rows, total } = yield* analytics.board(stat, scope, page)
        const { formula, minimumSample, sampleOf, unit } = definitionOf(stat)
        const shown = rows.map(({ ign, playerId, rank, sample, team, value }) => ({ rank, player: ign, playerId, team, value, sample }))
        return matchList(
          page,
          { rows: shown, total },
          {
            season: season ?? null,
            stat,
            unit,
            formula,
            minimumSample: { value: minimumSample, of: sampleOf },
            reason: total === 0 ? ("no_player_with_minimum_sample" as const) : null,
          },
        )
      }),
    })
  }),
)
