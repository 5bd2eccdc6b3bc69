/** `GET /live`: the live matches of all games that the caller's plan includes, with the delay of that plan. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { type AnyLiveMatch, allLiveLimit } from "@matchpoint/contracts/http/live/AllLiveApi"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { type GameName, gameOfMatch } from "@matchpoint/domain/ids"
import { entitlementError } from "@matchpoint/metering/entitlements"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Effect } from "effect"
import { endpointGroup } from "../http/slimContext.ts"
import { streamChannel, visibleGame } from "../stream/channels.ts"
import { gamesOf, LiveGames } from "./LiveGames.ts"
import { LiveHub } from "./LiveHub.ts"

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
        return pageOf(hub.edgeFor(caller.plan).rooms.live(), seen, query)
      }),
    })
  }),
)

/** Returns the handler of `GET /<game>/live`. The endpoint's metering rejects callers whose plan does not include the game. */
export const liveListOf = (hub: LiveHub["Service"], game: GameName) =>
  Effect.fnUntraced(function* ({ query }: { readonly query: PageQuery }) {
    const { plan } = yield* Caller
    return pageOf(hub.edgeFor(plan).rooms.live(), game, query)
  })

interface PageQuery {
  readonly limit?: number
  readonly page?: number
}

const pageOf = (rooms: ReadonlyArray<MatchRoom>, game: GameName | undefined, query: PageQuery) => {
  const ofGame = rooms.filter(({ matchId }) => game === undefined || gameOfMatch(matchId) === game)
  const { items, meta } = paginate(ofGame.toSorted(byGame), query, { max: allLiveLimit, fallback: allLiveLimit })
  return { success: true as const, data: items.flatMap(({ views }) => (views === undefined ? [] : [rowOf(views)])), meta }
}

/** Comparator that orders live matches by game. A sort with it keeps the existing order within each game. */
const byGame = (a: MatchRoom, b: MatchRoom): number => {
  const [one, other] = [gameOfMatch(a.matchId), gameOfMatch(b.matchId)]
  return one === other ? 0 : one < other ? -1 : 1
}

const rowOf = ({ frame, source, state, status }: FrameViews): AnyLiveMatch => ({
  game: frame.game.game,
  matchId: frame.matchId,
  status,
  source,
  cursor: { epoch: frame.epoch, seq: frame.seq },
  publishedAt: new Date(frame.at).toISOString(),
  match: frame.game.rowOf(state),
})
