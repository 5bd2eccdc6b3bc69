/** `GET /live`: live matches of all games that the caller's plan includes, with the delay of that plan. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { livePage } from "@matchpoint/game/edge/live/liveList"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { entitlementError } from "@matchpoint/metering/entitlements"
import { Effect } from "effect"
import { streamChannel, visibleGame } from "../stream/channels.ts"
import { gamesOf, LiveGames } from "./LiveGames.ts"

export const AllLiveHandlers = endpointGroup(
  ServiceApi,
  "live",
  Effect.fn(function* (handlers) {
    const games = yield* LiveGames
    const hub = yield* LiveHub

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { game } = query
        if (game !== undefined && !games.has(game)) {
          return yield* ValidationError.because(`unknown game ${game}; this server has: ${gamesOf(games).join(", ")}`)
        }
        const caller = yield* Caller
        const refused = entitlementError(caller, { game: streamChannel(game).game })
        if (refused?.error.code === "GAME_NOT_INCLUDED") return yield* refused
        const seen = visibleGame(game, caller)
        return livePage(hub.edgeFor(caller.plan).rooms.live(), seen, query)
      }),
    })
  }),
)
