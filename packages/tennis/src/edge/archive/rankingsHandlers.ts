/** Every plan includes the newest list of a tour. Older lists require a plan whose history reaches back that far. */
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { NotCovered, NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { listHandler, listPage, mapReadErrors, since, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { PageWindow } from "@matchpoint/store/paging/listReader"
import { Cache, Duration, Effect, Exit } from "effect"
import { NO_MOVES, RankingMoves } from "../../archive/rankings/RankingMoves.ts"
import { type RankedTour, TennisRankings } from "../../archive/rankings/TennisRankings.ts"
import { MAX_RANKINGS, MOVER_LIMITS, type RankingWeek, TOP_LIMITS } from "../../contract/http/data/rankingModels.ts"
import type { TourName } from "../../contract/http/data/references.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { currentPlayers } from "./currentPlayers.ts"
import { dayOf, endOf, tableTour, tourName } from "./parameters.ts"

/** Computing movers takes milliseconds, mostly for the newest list. An import may change a list. */
const MOVES_KEPT_FOR = "1 minute"
/** Each entry is a page of at most 200 players, about 50 kB. */
const MOVES_KEPT = 200

const circuits = ["atp", "wta"] as const

export const RankingsHandlers = endpointGroup(
  TennisApi,
  "tennis-rankings",
  Effect.fn(function* (handlers) {
    const rankings = yield* TennisRankings
    const { between } = yield* RankingMoves
    const forCurrent = yield* currentPlayers

    const moves = yield* Cache.makeWith(
      (key: string) => {
        const [tour, date = "", previous = "", limit, offset] = key.split(" ")
        return between(tour === "wta" ? "wta" : "atp", date, previous, { limit: Number(limit), offset: Number(offset) })
      },
      { capacity: MOVES_KEPT, timeToLive: (exit) => (Exit.isSuccess(exit) ? MOVES_KEPT_FOR : Duration.zero) },
    )

    /** Null if the tour has no list at all. Fails if the date has no list. */
    const requested = Effect.fnUntraced(function* (tour: RankedTour, date?: string | undefined) {
      const { dated, newest } = yield* rankings.find(tour, date)
      if (date === undefined || date === newest?.date) return newest
      yield* withinHistory(endOf(date))
      return dated ?? (yield* UnknownValue.of("date", date, yield* rankings.neighbours(tour, date)))
    })

    /** Oldest list that the plan includes, or undefined if it includes all. */
    const oldest = Effect.fnUntraced(function* (tour: RankedTour) {
      const start = yield* since()
      if (start === undefined) return undefined
      const { newest } = yield* rankings.find(tour)
      const day = dayOf(start)
      return newest !== null && newest.date < day ? newest.date : day
    })

    const listOf = Effect.fnUntraced(function* (tour: RankedTour, week: RankingWeek | null, window: PageWindow) {
      const page = week === null ? { rows: [], before: window.offset, next: null, total: 0 } : yield* rankings.list(tour, week, window)
      return { ...page, listed: listed(tour, week) }
    })

    const standings = (usual: number) =>
      Effect.fnUntraced(function* ({ query }: { readonly query: TopQuery }) {
        const tour = tableTour(query.tour)
        const limit = Math.min(query.top_n ?? usual, TOP_LIMITS.max)
        const { listed, rows, total } = yield* listOf(tour, (yield* rankings.find(tour)).newest, { limit, offset: 0 })
        return { success: true as const, data: rows, meta: { ...listed, count: rows.length, total } }
      }, mapReadErrors)

    const limits = { max: MAX_RANKINGS }

    return handlers.handleAll({
      list: listHandler(
        limits,
        Effect.fnUntraced(function* ({ query }, window) {
          const tour = tableTour(query.tour)
          return yield* listOf(tour, yield* requested(tour, query.date), window)
        }),
        { meta: ({ listed }) => listed },
      ),
      circuit: listHandler(
        limits,
        Effect.fnUntraced(function* ({ params, query }, window) {
          const tour = circuits.find((one) => one === params.circuit.toLowerCase())
          if (tour === undefined) return yield* NotCovered.of("circuit", params.circuit, circuits)
          return yield* listOf(tour, yield* requested(tour, query.date), window)
        }),
        { meta: ({ listed }) => listed },
      ),
      top: standings(TOP_LIMITS.top),
      standings: standings(TOP_LIMITS.standings),
      dates: listHandler(
        limits,
        Effect.fnUntraced(function* ({ query }, window) {
          const tour = tableTour(query.tour)
          const from = yield* oldest(tour)
          if (query.year !== undefined && from !== undefined && endOf(query.year) < endOf(from)) yield* withinHistory(endOf(query.year))
          return { ...(yield* rankings.weeks({ ...window, tour, from, year: query.year })), tour }
        }),
        { meta: ({ tour }) => ({ tour: tourName(tour) }) },
      ),
      history: forCurrent(
        listHandler(
          limits,
          Effect.fnUntraced(function* ({ params: { playerId } }, window) {
            const from = yield* oldest(playerId.startsWith("wta") ? "wta" : "atp")
            return (yield* rankings.history({ ...window, from, playerId })) ?? (yield* playerNotFound)
          }),
          { meta: ({ career, player }) => ({ player, career }) },
        ),
      ),
      movers: Effect.fnUntraced(function* ({ query }) {
        const tour = tableTour(query.tour)
        const week = yield* requested(tour, query.date)
        const previous = week?.previous_date ?? null
        const page = listPage({ ...query, limit: query.limit ?? MOVER_LIMITS.usual }, MOVER_LIMITS.max)
        const { limit, offset } = page
        const { movers, totals } =
          week === null || previous === null ? NO_MOVES : yield* Cache.get(moves, `${tour} ${week.date} ${previous} ${limit} ${offset}`)
        const { direction } = query
        const up = direction === "down" ? [] : (["climbers", "new_entries"] as const)
        const down = direction === "up" ? [] : (["fallers", "drop_outs"] as const)
        const longest = Math.max(...[...up, ...down].map((kind) => totals[kind]))
        const { hasNext, hasPrev, totalPages } = pagingOf(page, 0, longest)
        return {
          success: true as const,
          data: {
            climbers: direction === "down" ? [] : movers.climbers,
            fallers: direction === "up" ? [] : movers.fallers,
            new_entries: direction === "down" ? [] : movers.new_entries,
            drop_outs: direction === "up" ? [] : movers.drop_outs,
          },
          meta: { ...listed(tour, week), limit, page: page.page, totalPages, hasNext, hasPrev, totals },
        }
      }, mapReadErrors),
    })
  }),
)

interface TopQuery {
  readonly tour?: TourName | undefined
  readonly top_n?: number | undefined
}

const listed = (tour: RankedTour, week: RankingWeek | null) => ({
  tour: tourName(tour),
  date: week?.date ?? null,
  previous_date: week?.previous_date ?? null,
})

const playerNotFound = Effect.fail(NotFound.of("no player has this id; GET /tennis/players lists all players"))
