/** Handlers for single maps of a match, which the API calls games. An endpoint with two names has one handler. */
import { NotFound } from "@matchpoint/contracts/http/errors"
import { available, listed, listHandler, mapReadErrors, reading, wholePage, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { Listed, PageWindow } from "@matchpoint/store/paging/listReader"
import { Effect, Option } from "effect"
import { GameArchive } from "../../archive/matches/GameArchive.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import { GameEventType, type GameRound } from "../../contract/http/data/gameTimelineModels.ts"
import { type GameId, gameOf } from "../../rules/ids.ts"

/** Larger than the number of player rows or rounds of any map, so that all fit on one page. */
const MOST_LINES = 200
const MOST_ROUNDS = 200
const DEFAULT_EVENTS = 500

export const GamesHandlers = endpointGroup(
  Cs2Api,
  "cs2-games",
  Effect.fn(function* (handlers) {
    const games = yield* GameArchive

    /** Fails if the map does not exist, or if its match is older than the caller's plan gives access to. */
    const known = Effect.fnUntraced(function* (gameId: GameId) {
      const head = yield* games.head(gameOf(gameId))
      if (Option.isNone(head)) return yield* noGame(gameId)
      yield* withinHistory(head.value.startsAt)
      return head.value
    })

    const stats = Effect.fnUntraced(function* (gameId: GameId) {
      yield* known(gameId)
      const { rows, total } = yield* games.playerStats(gameOf(gameId), { limit: MOST_LINES, offset: 0 })
      return listed(wholePage(rows.length), rows, total, available(total > 0))
    }, mapReadErrors)

    const rounds = Effect.fnUntraced(function* (gameId: GameId, window: PageWindow) {
      yield* known(gameId)
      return yield* games.rounds(gameOf(gameId), window)
    })
    const roundsOrWhy = {
      data: ({ rows, total }: Listed<GameRound>) => (total > 0 ? rows : noRounds),
      meta: ({ total }: Listed<GameRound>) => ({ dataAvailable: total > 0 }),
    }

    return handlers.handleAll({
      byId: reading(function* ({ params }) {
        const found = yield* games.find(gameOf(params.gameId))
        if (Option.isNone(found)) return yield* noGame(params.gameId)
        const { game, source, startsAt } = found.value
        yield* withinHistory(startsAt)
        const dataAvailable = game.playerStatsAvailable || game.roundsAvailable
        return { success: true as const, data: game, meta: { dataAvailable, source } }
      }),
      stats: ({ params }) => stats(params.gameId),
      playerStats: ({ params }) => stats(params.gameId),
      mapStats: ({ params }) => stats(params.mapId),
      mapPlayerStats: ({ params }) => stats(params.mapId),
      rounds: listHandler(
        { max: MOST_ROUNDS, usual: MOST_ROUNDS, isShort: true },
        ({ params }, window) => rounds(params.gameId, window),
        roundsOrWhy,
      ),
      mapRounds: listHandler(
        { max: MOST_ROUNDS, usual: MOST_ROUNDS, isShort: true },
        ({ params }, window) => rounds(params.mapId, window),
        roundsOrWhy,
      ),
      events: listHandler(
        { max: dataLimits.mapEvents, usual: DEFAULT_EVENTS },
        Effect.fnUntraced(function* ({ params, query }, window) {
          const { source } = yield* known(params.gameId)
          return { ...(yield* games.events(gameOf(params.gameId), query, window)), source }
        }),
        {
          meta: ({ source, types }) => {
            const dataAvailable = types.length > 0
            return {
              dataAvailable,
              source: dataAvailable ? source : null,
              dataScope: dataAvailable ? (source === "live" ? ("live_feed" as const) : ("parsed_demo" as const)) : ("none" as const),
              unavailableEventTypes: GameEventType.literals.filter((type) => !types.includes(type)),
            }
          },
        },
      ),
    })
  }),
)

const noGame = (gameId: GameId) =>
  NotFound.of(`no match in the archive has a map with the id ${gameId}; GET /cs2/matches/{matchId}/games lists a match's maps`)

const noRounds = {
  dataAvailable: false as const,
  unavailableReason: "not_yet_indexed" as const,
  dataQuality: "unavailable" as const,
  message: "No rounds are available for this map yet: no demo of it was parsed, and it was not recorded live.",
}
