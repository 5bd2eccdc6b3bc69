/** Lists of live matches in one format for all games. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { type AnyLiveMatch, allLiveLimit } from "@matchpoint/contracts/http/live/AllLiveApi"
import { type GameName, gameOfMatch } from "@matchpoint/domain/ids"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Effect } from "effect"
import type { LiveHub } from "./LiveHub.ts"

/** Handler of `GET /<game>/live`. The endpoint's metering rejects callers whose plan does not include the game. */
export const liveListOf = (hub: LiveHub["Service"], game: GameName) =>
  Effect.fnUntraced(function* ({ query }: { readonly query: PageQuery }) {
    const { plan } = yield* Caller
    return livePage(hub.edgeFor(plan).rooms.live(), game, query)
  })

interface PageQuery {
  readonly limit?: number
  readonly page?: number
}

/** Page of the live matches of a game, or of all games. */
export const livePage = (rooms: ReadonlyArray<MatchRoom>, game: GameName | undefined, query: PageQuery) => {
  const ofGame = rooms.filter(({ matchId }) => game === undefined || gameOfMatch(matchId) === game)
  const { items, meta } = paginate(ofGame.toSorted(byGame), query, { max: allLiveLimit, fallback: allLiveLimit })
  return { success: true as const, data: items.flatMap(({ views }) => (views === undefined ? [] : [rowOf(views)])), meta }
}

/** A sort with it keeps the existing order within each game. */
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
