import { NotFound } from "@matchpoint/contracts/http/errors"
import { listHandler, one, reading } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect, Option } from "effect"
import { TennisMatchArchive } from "../../archive/matches/TennisMatchArchive.ts"
import { PlayerCareers } from "../../archive/players/PlayerCareers.ts"
import { PlayerDirectory } from "../../archive/players/PlayerDirectory.ts"
import { archiveLimits } from "../../contract/http/data/archiveFilters.ts"
import { SEARCH_LIMIT } from "../../contract/http/data/endpoints/PlayersApi.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { currentPlayers } from "./currentPlayers.ts"
import { givenTour, matchFilterOf, recordFilterOf, sinceDay } from "./matchHistory.ts"

export const TennisPlayersHandlers = endpointGroup(
  TennisApi,
  "tennis-players",
  Effect.fn(function* (handlers) {
    const directory = yield* PlayerDirectory
    const careers = yield* PlayerCareers
    const matches = yield* TennisMatchArchive
    const forCurrent = yield* currentPlayers

    return handlers.handleAll({
      list: listHandler(
        { max: archiveLimits.players },
        Effect.fnUntraced(function* ({ query }, window) {
          const { q: text, sort: order = "fame", tour } = query
          return yield* directory.list({ ...window, text, tour: givenTour(tour), order, since: yield* sinceDay })
        }),
      ),
      search: reading(function* ({ query }) {
        const limit = Math.min(query.limit ?? SEARCH_LIMIT, archiveLimits.search)
        const data = yield* directory.search({ text: query.q, tour: givenTour(query.tour), limit, since: yield* sinceDay })
        return { success: true as const, data, meta: { count: data.length, limit, query: query.q } }
      }),
      batch: forCurrent(
        reading(function* ({ query }) {
          const data = yield* directory.byIds(query.ids, yield* sinceDay)
          const found = new Set(data.map(({ id }) => id))
          return { success: true as const, data, meta: { count: data.length, missing: query.ids.filter((id) => !found.has(id)) } }
        }),
      ),
      one: forCurrent(
        reading(function* ({ params }) {
          const player = yield* careers.profile(params.playerId, yield* sinceDay)
          return Option.isNone(player) ? yield* playerNotFound(params.playerId) : one(player.value)
        }),
      ),
      stats: forCurrent(
        reading(function* ({ params, query }) {
          const stats = yield* careers.stats(params.playerId, yield* recordFilterOf(query))
          return Option.isNone(stats) ? yield* playerNotFound(params.playerId) : one(stats.value)
        }),
      ),
      matches: forCurrent(
        listHandler(
          { max: archiveLimits.matches },
          Effect.fnUntraced(function* ({ params: { playerId }, query }, window) {
            const found = yield* matches.list({ ...(yield* matchFilterOf(query)), playerId }, window)
            // Only an empty list can be that of an unknown player.
            if (found.rows.length > 0) return found
            return (yield* directory.byIds([playerId], undefined)).length > 0 ? found : yield* playerNotFound(playerId)
          }),
        ),
      ),
    })
  }),
)

export const playerNotFound = (playerId: string) =>
  Effect.fail(NotFound.of(`no player has the id ${playerId}; GET /tennis/players/search?q=<name> finds players`))
