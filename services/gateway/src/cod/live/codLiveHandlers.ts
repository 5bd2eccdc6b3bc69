/** Handlers of the endpoints about live Call of Duty matches. */

import { codLive } from "@matchpoint/contracts/cod/codLive"
import type { LiveCodMatch } from "@matchpoint/contracts/cod/LiveCodMatch"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { CodApi } from "@matchpoint/contracts/http/cod/CodApi"
import type { CodLiveItem, CodLiveList } from "@matchpoint/contracts/http/cod/CodLiveApi"
import { body, MatchNotFound } from "@matchpoint/contracts/http/errors"
import { Effect } from "effect"
import { one } from "../../archive/archive.ts"
import { endpointGroup } from "../../http/slimContext.ts"
import { LiveHub } from "../../live/LiveHub.ts"
import { liveListOf } from "../../live/liveList.ts"
import { roomsWith } from "../../live/roomsWith.ts"
import { codRooms } from "./codRooms.ts"

export const CodLiveHandlers = endpointGroup(
  CodApi,
  "cod-live",
  Effect.fn(function* (handlers) {
    const hub = yield* LiveHub

    /** Rooms of the tier that the caller's plan may see. */
    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    const list = Effect.fnUntraced(function* () {
      const data = codRooms.all(yield* rooms).map(itemOf)
      return { success: true, isLive: data.length > 0, count: data.length, data } satisfies CodLiveList
    })

    return handlers.handleAll({
      liveList: liveListOf(hub, codLive.game),
      live: list,
      liveMatches: list,
      liveMatch: Effect.fnUntraced(function* ({ params: { matchId } }) {
        const match = codRooms.find(yield* roomsWith(hub, matchId), matchId)
        if (match !== undefined) return one(match)
        const message = `no live match has the id ${matchId}; GET /cod/cdl/live lists the live matches`
        return yield* new MatchNotFound(body("MATCH_NOT_FOUND", message, { matchId }))
      }),
    })
  }),
)

const teamOf = ({ name, score, slug }: LiveCodMatch["team1"]) => ({ slug, name, score })

const itemOf = ({ bestOf, currentMap, matchId, round, startedAt, status, team1, team2, tournament }: LiveCodMatch): CodLiveItem => ({
  matchId,
  team1: teamOf(team1),
  team2: teamOf(team2),
  currentMap: currentMap === null ? null : { mapNumber: currentMap.mapNumber, mapName: currentMap.mapName, gameMode: currentMap.gameMode },
  bestOf,
  status,
  tournament: tournament.name,
  round,
  startedAt,
})
