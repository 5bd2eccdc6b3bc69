/** The client: REST reads as promises, live matches as async iterables. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { MatchId } from "@matchpoint/domain/ids"
import { type ClientOptions, defaults } from "../ClientOptions.ts"
import { addressesOf, apiRootOf, followedGame, invalidId, isMatchOf, settingsOf, startingPointOf, unsupported } from "../follow/channel.ts"
import type { LiveFailure } from "../follow/LiveFailure.ts"
import { DEFAULT_GAME, type DefaultGame } from "../games.ts"
import type { LiveChange } from "../LiveChange.ts"
import type { ReadPath, Reads } from "../reads.ts"
import { changes, type FollowOptions } from "./changes.ts"
import { follow, type Transports } from "./follow.ts"
import { type Http, makeHttp } from "./Http.ts"
import { LiveError } from "./LiveError.ts"
import { type Answer, type ReadRequest, read } from "./read.ts"
import { serverSentEvents } from "./serverSentEvents.ts"
import { webSocket } from "./webSocket.ts"

/**
 * Follows matches. To close the connection, use `break` or abort the option `signal`. The iteration throws a
 * `LiveError` if the stream cannot continue.
 */
export interface Live<G extends string = DefaultGame> {
  /**
   * Iterates over every change of one match, starting now or at the position `resume`. Reconnects and resumes
   * automatically. Ends when the match ends.
   */
  readonly match: <S extends Shape = "v2">(matchId: string, options?: FollowOptions<S, G>) => AsyncIterable<LiveChange<S, G>>
  /** Iterates over every change of every live match. Never ends by itself. */
  readonly all: <S extends Shape = "v2">(options?: FollowOptions<S, G>) => AsyncIterable<LiveChange<S, G>>
}

export interface Client {
  /** Reads a path of the REST API, e.g. `get("/cs2/live/:matchId", { params: { matchId } })`. Rejects with a `RequestError`. */
  readonly get: <Path extends ReadPath>(
    path: Path,
    ...request: object extends Reads[Path]["params"] ? [request?: ReadRequest<Path>] : [request: ReadRequest<Path>]
  ) => Promise<Answer<Path>>
  /** Follows matches of the default game, CS2. */
  readonly live: Live
  /** Follows matches of the given game. The name of the game is the first part of its match ids. */
  readonly game: <G extends string>(game: G) => Live<G>
  /** Follows matches of every game that the plan includes. */
  readonly everyGame: Live<string>
}

/**
 * Creates a client. A live connection opens when an iteration starts and closes when the iteration ends, so the client
 * itself need not be closed.
 */
export const createClient = (options: ClientOptions): Client => {
  const http = makeHttp(apiRootOf(options.baseUrl), options.apiKey)
  const settings = { timeoutMs: options.timeoutMs ?? defaults.timeoutMs, retries: options.retries ?? defaults.retries }
  const liveOf = <G extends string>(game: G | undefined): Live<G> => {
    const followed = followedGame(game)
    return {
      match: (matchId, live = {}) => followRoom(http, options, followed, matchId, live),
      all: (live = {}) => followRoom(http, options, followed, undefined, live),
    }
  }
  return {
    get: (path, ...[request = {}]) => read(http, settings, path, request),
    live: liveOf(DEFAULT_GAME),
    game: liveOf,
    everyGame: liveOf<string>(undefined),
  }
}

const followRoom = <S extends Shape, G extends string>(
  http: Http,
  options: ClientOptions,
  game: ChannelGame,
  id: string | undefined,
  live: FollowOptions<S, G>,
): AsyncIterable<LiveChange<S, G>> =>
  changes((stop) => {
    if (id !== undefined && !isMatchOf(game, id)) return failed(invalidId(game, id))
    const failure = unsupported(options.webSocket, id, live.transport)
    if (failure !== undefined) return failed(failure)
    return follow(transportsOf(http, options, game, id, live), settingsOf(id, live), startingPointOf(live), stop)
  }, live)

/** Returns an iterable that fails immediately, without connecting. */
async function* failed(failure: LiveFailure): AsyncGenerator<never, void, undefined> {
  throw new LiveError(failure)
}

const transportsOf = <S extends Shape, G extends string>(
  http: Http,
  options: ClientOptions,
  game: ChannelGame,
  matchId: MatchId | undefined,
  live: FollowOptions<S, G>,
): Transports => {
  const { socketUrl, streamPath } = addressesOf(http.root, game, matchId, live)
  const events = serverSentEvents(http, streamPath)
  if (live.transport === "sse") return { first: events }
  const socket = webSocket(http, socketUrl, options.webSocket)
  return live.transport === "websocket" ? { first: socket } : { first: socket, fallback: events }
}
