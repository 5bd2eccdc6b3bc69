/** The client as an Effect service: `rest` is the API of the contract, `live` follows matches as streams. */
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { type ChannelGame, socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { gameName, gameOfMatch, MatchId } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, Result, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { type ClientOptions, defaults, type LiveOptions } from "./ClientOptions.ts"
import type { FollowSettings, Known } from "./follow/FollowState.ts"
import { follow, type Transports } from "./follow.ts"
import { DEFAULT_GAME, type DefaultGame } from "./games.ts"
import type { LiveChange } from "./LiveChange.ts"
import { LiveError } from "./LiveError.ts"
import { originOf, type RestClient, restClient, withKey } from "./restClient.ts"
import { handshakeProbe } from "./transport/handshakeProbe.ts"
import { serverSentEvents } from "./transport/serverSentEvents.ts"
import { webSocket } from "./transport/webSocket.ts"

export interface Live<G extends string = DefaultGame> {
  /** Every change of one match, from now (or `resume`) on. Reconnects and resumes by itself; ends when the match is over. */
  readonly match: <S extends Shape = "v2">(matchId: string, options?: LiveOptions<S, G>) => Stream.Stream<LiveChange<S, G>, LiveError>
  /** Every change of every live match. Never ends by itself. */
  readonly all: <S extends Shape = "v2">(options?: LiveOptions<S, G>) => Stream.Stream<LiveChange<S, G>, LiveError>
}

/** How matches are followed. */
export interface Games {
  /** Follows matches of the default game, CS2. */
  readonly live: Live
  /** Follows matches of the game with this name, which is the first part of its match ids. */
  readonly game: <G extends string>(game: G) => Live<G>
  /** Follows matches of every game that the plan includes. */
  readonly everyGame: Live<string>
}

const isMatchId = Schema.is(MatchId)

export class Matchpoint extends Context.Service<Matchpoint, Games & { readonly rest: RestClient }>()("@matchpoint/client/Matchpoint") {
  /** Over the platform's `fetch` and WebSocket. */
  static readonly layer = (options: ClientOptions) =>
    Layer.effect(Matchpoint, Matchpoint.make(options)).pipe(Layer.provide(FetchHttpClient.layer))

  /** Over an HttpClient of your own. */
  static readonly make = Effect.fnUntraced(function* (options: ClientOptions) {
    const http = withKey(yield* HttpClient.HttpClient, options.apiKey)
    const rest = yield* restClient(options, http)
    const transportsOf = transports(options, http)
    const liveOf = <G extends string>(game: G | undefined): Live<G> => {
      const followed = game === undefined ? undefined : gameName(game)
      return {
        match: (id, live = {}) =>
          isMatchId(id) && (followed === undefined || gameOfMatch(id) === followed)
            ? followRoom(transportsOf(followed), id, live)
            : Stream.fail(noSuchId(id, game)),
        all: (live = {}) => followRoom(transportsOf(followed), undefined, live),
      }
    }
    return Matchpoint.of({ rest, live: liveOf(DEFAULT_GAME), game: liveOf, everyGame: liveOf<string>(undefined) })
  })
}

const noSuchId = (id: string, game = "<game>"): LiveError =>
  new LiveError({ reason: "MatchNotFound", message: `${id} is no match id: they are ${game}-match-<n>`, room: `match:${id}` })

/** The options that the transports need. */
type Wishes = Pick<LiveOptions<Shape>, "shape" | "maxRateMs" | "slow" | "flush" | "transport">
type TransportsOf = (matchId: MatchId | undefined, live: Wishes) => Transports

const transports = (options: ClientOptions, http: HttpClient.HttpClient): ((followed: ChannelGame) => TransportsOf) => {
  const root = originOf(options.baseUrl) + API_ROOT
  const client = HttpClient.mapRequest(http, HttpClientRequest.prependUrl(root))
  const probe = handshakeProbe(client)
  return (followed) => (matchId, live) => {
    const query = new URLSearchParams({ shape: live.shape ?? "v2" })
    for (const name of ["maxRateMs", "slow", "flush"] as const) if (live[name] !== undefined) query.set(name, String(live[name]))
    const url = new URL(`${root.replace(/^http/, "ws")}${socketPathOf(followed)}?${query}`)
    if (matchId !== undefined) query.set("matchId", matchId)
    const events = serverSentEvents({ client, path: `${streamPathOf(followed)}?${query}` })
    if (live.transport === "sse") return { first: events }
    const socket = webSocket({ url, apiKey: options.apiKey, open: options.webSocket, probe })
    return live.transport === "websocket" ? { first: socket } : { first: socket, fallback: events }
  }
}

const followRoom = <S extends Shape, G extends string>(
  transportsOf: TransportsOf,
  matchId: MatchId | undefined,
  live: LiveOptions<S, G>,
): Stream.Stream<LiveChange<S, G>, LiveError> =>
  Stream.suspend(() => {
    const settings: Omit<FollowSettings, "canSend" | "canFallBack"> = {
      matchId,
      shape: live.shape ?? "v2",
      maxRateMs: live.maxRateMs,
      endWithMatch: live.endWithMatch ?? true,
      baseDelayMs: defaults.baseDelayMs,
      maxDelayMs: defaults.maxDelayMs,
      maxAttempts: live.maxAttempts ?? Number.POSITIVE_INFINITY,
    }
    const known = [...(live.resume?.matches ?? [])].map(
      ({ epoch, match, matchId, position, seq }): Known => ({ matchId, epoch, seq, position, document: { ...match } }),
    )
    const items = follow(transportsOf(matchId, live), settings, { cursor: live.resume?.cursor, known })
    // One at a time, so that a notice is given when the changes before it have been taken.
    return (live.onNotice === undefined ? items : Stream.rechunk(items, 1)).pipe(
      Stream.filterMap((item) => {
        if (item._tag === "Change") return Result.succeed(item.change as LiveChange<Shape, string> as LiveChange<S, G>)
        live.onNotice?.(item.notice)
        return Result.failVoid
      }),
    )
  })
