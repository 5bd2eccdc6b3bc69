/** Handlers of the player endpoints, which read the archive. */

import { Caller } from "@matchpoint/contracts/http/Authentication"
import { dataLimits } from "@matchpoint/contracts/http/cs2/data/dataLimits"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { PlayerArchive } from "@matchpoint/store/cs2/players/PlayerArchive"
import { Effect, Option } from "effect"
import { answerList, one, since, until, withoutStore } from "../../archive/archive.ts"
import { endpointGroup } from "../../http/slimContext.ts"
import { LiveHub } from "../../live/LiveHub.ts"
import { livePlayer } from "../live/livePlayer.ts"

export const PlayersHandlers = endpointGroup(
  MatchpointApi,
  "cs2-players",
  Effect.fn(function* (handlers) {
    const players = yield* PlayerArchive
    const hub = yield* LiveHub

    return handlers.handleAll({
      list: answerList({ max: dataLimits.players }, ({ query }, window) =>
        players.list({
          ...window,
          text: query.q,
          team: query.team,
          countryCode: query.country?.toUpperCase(),
          minMaps: query.min_maps,
          order: query.sort ?? "maps",
        }),
      ),
      one: Effect.fnUntraced(
        function* ({ params }) {
          const player = yield* players.profile(params.playerIdOrSlug, yield* since())
          if (Option.isSome(player)) return one(player.value)
          // The archive receives a live match about a minute late. Until then the player is looked up in the live
          // matches that the caller's plan may see.
          const { plan } = yield* Caller
          const live = livePlayer(hub.edgeFor(plan).rooms, params.playerIdOrSlug)
          return live === undefined ? yield* nobody : one(live)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      stats: answerList(
        { max: dataLimits.players },
        Effect.fnUntraced(function* ({ params, query }, window) {
          const lines = { from: yield* since(query.from, query.to), to: until(query.to), map: query.map, team: query.team }
          const player = yield* players.stats(params.playerIdOrSlug, { ...lines, ...window })
          return Option.isNone(player) ? yield* nobody : player.value
        }),
        { data: ({ told }) => told },
      ),
      career: Effect.fnUntraced(
        function* ({ params }) {
          const player = yield* players.career(params.playerId, yield* since())
          return Option.isNone(player) ? yield* nobody : one(player.value)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      seasons: Effect.fnUntraced(
        function* ({ params }) {
          const player = yield* players.seasons(params.playerId, yield* since())
          return Option.isNone(player) ? yield* nobody : one(player.value)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
    })
  }),
)

const nobody = Effect.fail(NotFound.of("no player has this id or slug; GET /cs2/players lists all players"))
