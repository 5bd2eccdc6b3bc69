import { listed, listPage, reading, since, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { Leaderboards } from "../../archive/leaderboards/Leaderboards.ts"
import { BOARD_LIMITS } from "../../contract/http/data/endpoints/LeaderboardsApi.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { boards, formulaOf } from "../../rules/archive/boards.ts"
import { dayOf, endOf, readSurface, tableTour, tourName } from "./parameters.ts"

export const LeaderboardsHandlers = endpointGroup(
  TennisApi,
  "tennis-leaderboards",
  Effect.fn(function* (handlers) {
    const leaderboards = yield* Leaderboards

    return handlers.handleAll({
      board: reading(function* ({ params: { board }, query }) {
        const tour = tableTour(query.tour)
        const surface = yield* readSurface(query.surface)
        const season = query.year ?? (yield* leaderboards.newestSeason(tour))
        const start = yield* since()
        if (season !== undefined && start !== undefined) yield* withinHistory(endOf(season))
        const page = listPage({ ...query, limit: query.limit ?? BOARD_LIMITS.usual }, BOARD_LIMITS.max)
        const from = start === undefined ? undefined : dayOf(start)
        const { limit, offset } = page
        const { rows, total } =
          season === undefined ? { rows: [], total: 0 } : yield* leaderboards.board({ board, tour, season, surface, from, limit, offset })
        const { denominator, minimumSample, unit } = boards[board]
        return listed(page, rows, total, {
          board,
          tour: tourName(tour),
          year: season ?? null,
          surface: surface ?? null,
          unit,
          formula: formulaOf(board),
          minimum_sample: { denominator: minimumSample, of: denominator },
        })
      }),
    })
  }),
)
