import { Caller } from "@matchpoint/contracts/http/Authentication"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { body, MatchNotFound } from "@matchpoint/contracts/http/errors"
import { one } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { liveListOf } from "@matchpoint/game/edge/live/liveList"
import { roomsWith } from "@matchpoint/game/edge/live/roomsWith"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { apexLive, liveRowOf } from "../../contract/apexLive.ts"
import { ApexApi } from "../../contract/http/ApexApi.ts"
import { APEX_LIVE_LIMIT } from "../../contract/http/ApexLiveApi.ts"
import { readRegion } from "../archive/parameters.ts"
import { apexRooms } from "./apexRooms.ts"

export const ApexLiveHandlers = endpointGroup(
  ApexApi,
  "apex-live",
  Effect.fn(function* (handlers) {
    const hub = yield* LiveHub

    /** Rooms of the tier that the caller's plan may see. */
    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    return handlers.handleAll({
      liveList: liveListOf(hub, apexLive.game),
      list: Effect.fnUntraced(function* ({ query }) {
        const region = yield* readRegion(query.region)
        const lobbies = apexRooms.all(yield* rooms)
        const inRegion = region === undefined ? lobbies : lobbies.filter((lobby) => lobby.region === region)
        const { items, meta } = paginate(inRegion, query, { max: APEX_LIVE_LIMIT, fallback: APEX_LIVE_LIMIT })
        return { success: true as const, data: items.map(liveRowOf), meta }
      }),
      one: Effect.fnUntraced(function* ({ params: { seriesId } }) {
        const lobby = apexRooms.find(yield* roomsWith(hub, seriesId), seriesId)
        if (lobby !== undefined) return one(lobby)
        const message = `no live lobby has the id ${seriesId}; GET /apex/algs/live lists the live lobbies`
        return yield* new MatchNotFound(body("MATCH_NOT_FOUND", message, { matchId: seriesId }))
      }),
    })
  }),
)
