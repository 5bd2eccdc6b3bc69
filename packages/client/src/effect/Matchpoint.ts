/** The client as an Effect service: `rest` calls the REST API, and `live` follows matches as streams. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { MatchId } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, type Redacted, Result, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import type { ConnectionOptions, LiveOptions } from "../ClientOptions.ts"
import { addressesOf, apiRootOf, followedGame, invalidId, isMatchOf, settingsOf, startingPointOf, unsupported } from "../follow/channel.ts"
import { DEFAULT_GAME, type DefaultGame } from "../games.ts"
import type { LiveChange } from "../LiveChange.ts"
import { follow, type Transports } from "./follow.ts"
import { handshakeProbe } from "./handshakeProbe.ts"
import { LiveError } from "./LiveError.ts"
import { type RestClient, restClient, withKey } from "./restClient.ts"
import { serverSentEvents } from "./serverSentEvents.ts"
import { webSocket } from "./webSocket.ts"

export interface MatchpointOptions extends ConnectionOptions {
  readonly apiKey: Redacted.Redacted<string>
}

export interface Live<G extends string = DefaultGame> {
  /**
   * Streams every change of one match, starting now or at the position `resume`. Reconnects and resumes automatically.
   * Ends when the match ends.
   */
  readonly match: <S extends Shape = "v2">(matchId: string, options?: LiveOptions<S, G>) => Stream.Stream<LiveChange<S, G>, LiveError>
  /** Streams every change of every live match. Never ends by itself. */
  readonly all: <S extends Shape = "v2">(options?: LiveOptions<S, G>) => Stream.Stream<LiveChange<S, G>, LiveError>
}

export interface Games {
  /** Follows matches of the default game, CS2. */
  readonly live: Live
  /** Follows matches of the given game. The name of the game is the first part of its match ids. */
  readonly game: <G extends string>(game: G) => Live<G>
  /** Follows matches of every game that the plan includes. */
  readonly everyGame: Live<string>
}

export class Matchpoint extends Context.Service<Matchpoint, Games & { readonly rest: RestClient }>()(
  "@matchpoint/client/effect/Matchpoint",
) {
  /** Effect layer that provides the client. It uses the platform's `fetch` and WebSocket. */
  static readonly layer = (options: MatchpointOptions) =>
    Layer.effect(Matchpoint, Matchpoint.make(options)).pipe(Layer.provide(FetchHttpClient.layer))

  /** Effect that creates a client with the `HttpClient` service of its context. */
  static readonly make = Effect.fnUntraced(function* (options: MatchpointOptions) {
    const http = withKey(yield* HttpClient.HttpClient, options.apiKey)
    const rest = yield* restClient(options, http)
    const transportsOf = transports(options, http)
    const followIn = <S extends Shape, G extends string>(game: ChannelGame, matchId: MatchId | undefined, live: LiveOptions<S, G>) => {
      const failure = unsupported(options.webSocket, matchId, live.transport)
      return failure === undefined ? followRoom(transportsOf(game), matchId, live) : Stream.fail(new LiveError(failure))
    }
    const liveOf = <G extends string>(game: G | undefined): Live<G> => {
      const followed = followedGame(game)
      return {
        match: (id, live = {}) =>
          isMatchOf(followed, id) ? followIn(followed, id, live) : Stream.fail(new LiveError(invalidId(followed, id))),
        all: (live = {}) => followIn(followed, undefined, live),
      }
    }
    return Matchpoint.of({ rest, live: liveOf(DEFAULT_GAME), game: liveOf, everyGame: liveOf<string>(undefined) })
  })
}

type TransportOptions = Pick<LiveOptions<Shape>, "shape" | "maxRateMs" | "slow" | "flush" | "transport">
type TransportsOf = (matchId: MatchId | undefined, live: TransportOptions) => Transports

const transports = (options: MatchpointOptions, http: HttpClient.HttpClient): ((game: ChannelGame) => TransportsOf) => {
  const root = apiRootOf(options.baseUrl)
  const client = HttpClient.mapRequest(http, HttpClientRequest.prependUrl(root))
  const probe = handshakeProbe(client)
  return (game) => (matchId, live) => {
    const { socketUrl, streamPath } = addressesOf(root, game, matchId, live)
    const events = serverSentEvents({ client, path: streamPath })
    if (live.transport === "sse") return { first: events }
    const socket = webSocket({ url: socketUrl, apiKey: options.apiKey, open: options.webSocket, probe })
    return live.transport === "websocket" ? { first: socket } : { first: socket, fallback: events }
  }
}

const followRoom = <S extends Shape, G extends string>(
  transportsOf: TransportsOf,
  matchId: MatchId | undefined,
  live: LiveOptions<S, G>,
): Stream.Stream<LiveChange<S, G>, LiveError> =>
  Stream.suspend(() => {
    const items = follow(transportsOf(matchId, live), settingsOf(matchId, live), startingPointOf(live))
    // Changes and notices are passed on one at a time and not in batches, so a notice is reported only after the reader
    // has taken all earlier changes.
    return (live.onNotice === undefined ? items : Stream.rechunk(items, 1)).pipe(
      Stream.filterMap((item) => {
        if (item._tag === "Change") return Result.succeed(item.change as LiveChange<Shape, string> as LiveChange<S, G>)
        live.onNotice?.(item.notice)
        return Result.failVoid
      }),
    )
  })
