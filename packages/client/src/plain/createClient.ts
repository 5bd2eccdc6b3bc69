/** REST reads as promises, live matches as async iterables. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { type ClientOptions, defaults } from "../ClientOptions.ts"
import { apiRootOf, followedGame } from "../follow/channel.ts"
import { DEFAULT_GAME, type DefaultGame } from "../games.ts"
import type { LiveChange } from "../LiveChange.ts"
import type { ReadPath, Reads } from "../reads.ts"
import type { FollowOptions } from "./changes.ts"
import { followRoom } from "./followRoom.ts"
import { makeHttp } from "./Http.ts"
import { type Answer, type ReadRequest, read } from "./read.ts"
import { platformTiming } from "./Timing.ts"

/**
 * `break` or an abort of the option `signal` closes the connection. The iteration throws a `LiveError` if the stream
 * cannot continue.
 */
export interface Live<G extends string = DefaultGame> {
  /**
   * Every change of one match, from now on or from the position `resume`. Reconnects and resumes automatically. Ends
   * when the match ends.
   */
  readonly match: <S extends Shape = "v2">(matchId: string, options?: FollowOptions<S, G>) => AsyncIterable<LiveChange<S, G>>
  /** Every change of every live match. Never ends by itself. */
  readonly all: <S extends Shape = "v2">(options?: FollowOptions<S, G>) => AsyncIterable<LiveChange<S, G>>
}

export interface Client {
  /**
   * Reads a path of the API, e.g. `get("/cs2/live/:matchId/state", { params: { matchId } })`. Rejects with a `RequestError`.
   */
  readonly get: <Path extends ReadPath>(
    path: Path,
    ...request: object extends Reads[Path]["params"] ? [request?: ReadRequest<Path>] : [request: ReadRequest<Path>]
  ) => Promise<Answer<Path>>
  /** Matches of the default game, CS2. */
  readonly live: Live
  /** Matches of the given game, whose name is the first part of its match ids. */
  readonly game: <G extends string>(game: G) => Live<G>
  /** Matches of every game that the plan includes. */
  readonly everyGame: Live<string>
}

/** Live connections open when an iteration starts and close when it ends, so the client itself need not be closed. */
export const createClient = (options: ClientOptions): Client => {
  const http = makeHttp(apiRootOf(options.baseUrl), options.apiKey)
  const runtime = { http, timing: platformTiming, webSocket: options.webSocket }
  const settings = { timeoutMs: options.timeoutMs ?? defaults.timeoutMs, retries: options.retries ?? defaults.retries }
  const liveOf = <G extends string>(game: G | undefined): Live<G> => {
    const followed = followedGame(game)
    return {
      match: (matchId, live = {}) => followRoom(runtime, followed, matchId, live),
      all: (live = {}) => followRoom(runtime, followed, undefined, live),
    }
  }
  return {
    get: (path, ...[request = {}]) => read(http, settings, path, request),
    live: liveOf(DEFAULT_GAME),
    game: liveOf,
    everyGame: liveOf<string>(undefined),
  }
}
