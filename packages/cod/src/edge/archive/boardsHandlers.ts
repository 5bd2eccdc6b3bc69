import { NotCovered, UnknownValue } from "@matchpoint/contracts/http/errors"
import { reading, since, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { CodBoards } from "../../archive/boards/CodBoards.ts"
import { CodLeague } from "../../archive/league/CodLeague.ts"
import { CodSearch } from "../../archive/search/CodSearch.ts"
import { CodApi } from "../../contract/http/CodApi.ts"
import { BOARD_LIMITS } from "../../contract/http/data/endpoints/CodBoardsApi.ts"
import { boardModes, statsOf, USUAL_STAT } from "../../rules/archive/boards.ts"
import { endOfSeason } from "./pages.ts"

/** Accepts any case. Fails if the list has no such element. */
const choose = <A extends string>(parameter: string, text: string, valid: ReadonlyArray<A>): Effect.Effect<A, UnknownValue> => {
  const chosen = valid.find((one) => one.toLowerCase() === text.toLowerCase())
  return chosen === undefined ? Effect.fail(UnknownValue.of(parameter, text, valid)) : Effect.succeed(chosen)
}

export const CodBoardsHandlers = endpointGroup(
  CodApi,
  "cod-boards",
  Effect.fn(function* (handlers) {
    const boards = yield* CodBoards
    const league = yield* CodLeague
    const search = yield* CodSearch

    /** Fails if the archive does not have the season. */
    const covered = Effect.fnUntraced(function* (season: number) {
      const seasons = yield* league.seasons
      if (!seasons.includes(season)) return yield* NotCovered.of("season", String(season), seasons.map(String))
    })

    return handlers.handleAll({
      earnings: reading(function* ({ query: { limit = BOARD_LIMITS.earnings, season } }) {
        if (season !== undefined) yield* withinHistory(endOfSeason(season))
        const rows = yield* boards.earnings({ season, from: yield* since(), limit: Math.min(limit, BOARD_LIMITS.max) })
        if (rows.length === 0 && season !== undefined) yield* covered(season)
        const reason = rows.length === 0 ? ("no_prize_money_known" as const) : null
        return { success: true as const, count: rows.length, season: season ?? null, reason, data: rows }
      }),
      board: reading(function* ({ params, query: { limit = BOARD_LIMITS.usual, season: asked, stat: named = USUAL_STAT } }) {
        const mode = yield* choose("mode", params.mode, boardModes)
        const stat = yield* choose("stat", named, statsOf(mode))
        const season = asked ?? (yield* boards.newestSeason)
        const from = yield* since()
        if (season !== undefined) yield* withinHistory(endOfSeason(season))
        const { players, rows } =
          season === undefined
            ? { players: 0, rows: [] }
            : yield* boards.board({ mode, stat, season, from, limit: Math.min(limit, BOARD_LIMITS.max) })
        if (rows.length === 0 && asked !== undefined) yield* covered(asked)
        const reason = rows.length > 0 ? null : players > 0 ? ("stat_not_counted" as const) : ("no_players" as const)
        return { success: true as const, count: rows.length, mode, stat, season: season ?? null, reason, data: rows }
      }),
      search: reading(function* ({ query: { limit = BOARD_LIMITS.search, q, type } }) {
        const kinds = type === undefined ? (["player", "team", "tournament"] as const) : [type]
        const results = yield* search.find({ text: q, kinds, limit: Math.min(limit, BOARD_LIMITS.max) })
        return { success: true as const, query: q, results, data: { query: q, results } }
      }),
    })
  }),
)
