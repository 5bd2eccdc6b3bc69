import { Caller } from "@matchpoint/contracts/http/Authentication"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { listHandler, one, reading, since, until } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect, Option } from "effect"
import { PlayerArchive } from "../../archive/players/PlayerArchive.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import { livePlayer } from "../live/livePlayer.ts"
import { slugRedirects } from "./slugRedirects.ts"

export const PlayersHandlers = endpointGroup(
  Cs2Api,
  "cs2-players",
  Effect.fn(function* (handlers) {
    const players = yield* PlayerArchive
    const hub = yield* LiveHub
    const redirecting = yield* slugRedirects

    return handlers.handleAll({
      list: listHandler({ max: dataLimits.players }, ({ query }, window) =>
        players.list({
          ...window,
          text: query.q,
          team: query.team,
          countryCode: query.country?.toUpperCase(),
          minMaps: query.min_maps,
          order: query.sort ?? "maps",
        }),
      ),
      one: redirecting(
        reading(function* ({ params }) {
          const player = yield* players.profile(params.playerIdOrSlug, yield* since())
          if (Option.isSome(player)) return one(player.value)
          // The archive learns of a live match about a minute late. Until then, a new player is only in the live data.
          // Only data that the caller's plan may see is searched.
          const { plan } = yield* Caller
          const live = yield* livePlayer(hub.edgeFor(plan).rooms, params.playerIdOrSlug)
          return live === undefined ? yield* playerNotFound : one(live)
        }),
      ),
      stats: redirecting(
        listHandler(
          { max: dataLimits.players },
          Effect.fnUntraced(function* ({ params, query }, window) {
            const lines = { from: yield* since(query.from, query.to), to: until(query.to), map: query.map, team: query.team }
            const player = yield* players.stats(params.playerIdOrSlug, { ...lines, ...window })
            return Option.isNone(player) ? yield* playerNotFound : player.value
          }),
          { data: ({ response }) => response },
        ),
      ),
      career: redirecting(
        reading(function* ({ params }) {
          const player = yield* players.career(params.playerId, yield* since())
          return Option.isNone(player) ? yield* playerNotFound : one(player.value)
        }),
      ),
      seasons: redirecting(
        reading(function* ({ params }) {
          const player = yield* players.seasons(params.playerId, yield* since())
          return Option.isNone(player) ? yield* playerNotFound : one(player.value)
        }),
      ),
    })
  }),
)

const playerNotFound = Effect.fail(NotFound.of("no player has this id or slug; GET /cs2/players lists all players"))
