/** The client as an Effect service: `rest` is the API of the contract, `live` follows matches as streams. */
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { MatchId } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, Result, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { type ClientOptions, defaults, type LiveOptions } from "./ClientOptions.ts"
import type { FollowSettings, Known } from "./follow/FollowState.ts"
import { follow, type Transports } from "./follow.ts"
import type { LiveChange } from "./LiveChange.ts"
import { LiveError } from "./LiveError.ts"
import { originOf, type RestClient, restClient, withKey } from "./restClient.ts"
import { handshakeProbe } from "./transport/handshakeProbe.ts"
import { serverSentEvents } from "./transport/serverSentEvents.ts"
import { webSocket } from "./transport/webSocket.ts"

export interface Live {
  /** Every change of one match, from now (or `resume`) on. Reconnects and resumes by itself; ends when the match is over. */
  readonly match: <S extends Shape = "v2">(matchId: string, options?: LiveOptions<S>) => Stream.Stream<LiveChange<S>, LiveError>
  /** Every change of every live match. Never ends by itself. */
  readonly all: <S extends Shape = "v2">(options?: LiveOptions<S>) => Stream.Stream<LiveChange<S>, LiveError>
}

const isMatchId = Schema.is(MatchId)

export class Matchpoint extends Context.Service<Matchpoint, { readonly rest: RestClient; readonly live: Live }>()(
  "@matchpoint/client/Matchpoint",
) {
  /** Over the platform's `fetch` and WebSocket. */
  static readonly layer = (options: ClientOptions) =>
    Layer.effect(Matchpoint, Matchpoint.make(options)).pipe(Layer.provide(FetchHttpClient.layer))

  /** Over an HttpClient of your own. */
  static readonly make = Effect.fnUntraced(function* (options: ClientOptions) {
    const http = withKey(yield* HttpClient.HttpClient, options.apiKey)
    const rest = yield* restClient(options, http)
    const transportsOf = transports(options, http)
    const room = <S extends Shape>(matchId: MatchId | undefined, live: LiveOptions<S>) => followRoom(transportsOf, matchId, live)
    return Matchpoint.of({
      rest,
      live: {
        match: (id, live = {}) =>
          isMatchId(id)
            ? room(id, live)
            : Stream.fail(
                new LiveError({ reason: "MatchNotFound", message: `${id} is no match id: they are cs2-match-<n>`, room: `match:${id}` }),
              ),
        all: (live = {}) => room(undefined, live),
      },
    })
  })
}

type TransportsOf = (matchId: MatchId | undefined, live: LiveOptions<Shape>) => Transports

const transports = (options: ClientOptions, http: HttpClient.HttpClient): TransportsOf => {
  const root = originOf(options.baseUrl) + API_ROOT
  const client = HttpClient.mapRequest(http, HttpClientRequest.prependUrl(root))
  const probe = handshakeProbe(client)
  return (matchId, live) => {
    const query = new URLSearchParams({ shape: live.shape ?? "v2" })
    for (const name of ["maxRateMs", "slow", "flush"] as const) if (live[name] !== undefined) query.set(name, String(live[name]))
    const url = new URL(`${root.replace(/^http/, "ws")}${SOCKET_PATH}?${query}`)
    if (matchId !== undefined) query.set("matchId", matchId)
    const events = serverSentEvents({ client, path: `${STREAM_PATH}?${query}` })
    if (live.transport === "sse") return { first: events }
    const socket = webSocket({ url, apiKey: options.apiKey, open: options.webSocket, probe })
    return live.transport === "websocket" ? { first: socket } : { first: socket, fallback: events }
  }
}

const followRoom = <S extends Shape>(
  transportsOf: TransportsOf,
  matchId: MatchId | undefined,
  live: LiveOptions<S>,
): Stream.Stream<LiveChange<S>, LiveError> =>
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
        if (item._tag === "Change") return Result.succeed(item.change as LiveChange<S>)
        live.onNotice?.(item.notice)
        return Result.failVoid
      }),
    )
  })
