/** Follows one match or all matches as an async iterable, over the transports that the caller's options allow. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { MatchId } from "@matchpoint/domain/ids"
import { addressesOf, invalidId, isMatchOf, settingsOf, startingPointOf, unsupported } from "../follow/channel.ts"
import type { LiveFailure } from "../follow/LiveFailure.ts"
import type { LiveChange } from "../LiveChange.ts"
import { changes, type FollowOptions } from "./changes.ts"
import { follow, type Transports } from "./follow.ts"
import { LiveError } from "./LiveError.ts"
import type { Runtime } from "./Runtime.ts"
import { serverSentEvents } from "./serverSentEvents.ts"
import { webSocket } from "./webSocket.ts"

/** All matches of the game if `id` is undefined. Each iteration opens a connection of its own. */
export const followRoom = <S extends Shape, G extends string>(
  runtime: Runtime,
  game: ChannelGame,
  id: string | undefined,
  live: FollowOptions<S, G>,
): AsyncIterable<LiveChange<S, G>> =>
  changes((stop) => {
    if (id !== undefined && !isMatchOf(game, id)) return failed(invalidId(game, id))
    const failure = unsupported(runtime.webSocket, id, live.transport)
    if (failure !== undefined) return failed(failure)
    return follow(transportsOf(runtime, game, id, live), settingsOf(id, live), startingPointOf(live), runtime.timing, stop)
  }, live)

/** Fails immediately, without connecting. */
async function* failed(failure: LiveFailure): AsyncGenerator<never, void, undefined> {
  throw new LiveError(failure)
}

const transportsOf = <S extends Shape, G extends string>(
  runtime: Runtime,
  game: ChannelGame,
  matchId: MatchId | undefined,
  live: FollowOptions<S, G>,
): Transports => {
  const { socketUrl, streamPath } = addressesOf(runtime.http.root, game, matchId, live)
  const events = serverSentEvents(runtime.http, streamPath)
  if (live.transport === "sse") return { first: events }
  const socket = webSocket(runtime, socketUrl)
  return live.transport === "websocket" ? { first: socket } : { first: socket, fallback: events }
}
