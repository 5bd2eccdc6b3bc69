import { Caller } from "@matchpoint/contracts/http/Authentication"
import { body, MatchNotFound } from "@matchpoint/contracts/http/errors"
import { one } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { liveListOf } from "@matchpoint/game/edge/live/liveList"
import { roomsWith } from "@matchpoint/game/edge/live/roomsWith"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { codLive } from "../../contract/codLive.ts"
import { CodApi } from "../../contract/http/CodApi.ts"
import type { CodLiveItem, CodLiveList } from "../../contract/http/CodLiveApi.ts"
import type { LiveCodMatch } from "../../contract/LiveCodMatch.ts"
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
