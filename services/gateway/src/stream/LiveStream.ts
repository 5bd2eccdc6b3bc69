/** `/<game>/live/stream` and `/live/stream`: server-sent events for one match or for all matches. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { body } from "@matchpoint/contracts/http/errors"
import { type Cursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import type { StreamError } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { type ChannelGame, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer, Metric } from "effect"
import { gamesOf, LiveGames } from "../live/LiveGames.ts"
import { Admission } from "./Admission.ts"
import { streamChannel, visibleGame } from "./channels.ts"
import { acceptStream, HANDSHAKE_WITHIN_MS, streamOptionsOf } from "./handshake.ts"
import type { ClientOptions } from "./LiveClient.ts"
import { type Admitted, liveEndpoint } from "./LiveEndpoint.ts"
import type { Ticket } from "./OpenStreams.ts"
import { StreamOutlet } from "./StreamOutlet.ts"

export const streamsOpen = Metric.gauge("matchpoint_gateway_sse_streams", { description: "Open SSE streams" })

const RECONNECT_AFTER_MS = 2_000

interface Requested extends ClientOptions {
  /** Undefined: all live matches. */
  readonly matchId: MatchId | undefined
  readonly cursor: Cursor | undefined
}

type Stream = Admitted<StreamOutlet, Requested>

const shuttingDown: StreamError = { type: "error", code: "SHUTTING_DOWN", message: "the server is shutting down; reconnect" }

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const hub = yield* LiveHub
  const settings = yield* GatewayConfig
  const endpoint = yield* liveEndpoint<StreamOutlet>({
    open: streamsOpen,
    drain: (client, clients) => {
      client.requestReconnect("draining", clients)
      client.session.sendControl(shuttingDown)
    },
  })

  const read = Effect.fnUntraced(function* (followed: ChannelGame, request: UpgradeRequest, key: Customer) {
    const options = yield* streamOptionsOf(request.query, ["lastEventId"])
    const matchText = request.query.get("matchId")
    const parsed = matchText === null ? undefined : parseRoom(`match:${matchText}`)
    const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
    const game = visibleGame(followed, key)
    const isSeen = matchId !== undefined && (game === undefined || gameOfMatch(matchId) === game)
    const isServed = isSeen && hub.edgeFor(key.plan).rooms.get(matchId) !== undefined
    if (matchText !== null && !isServed) {
      const where = followed === undefined ? "/<game>/live" : `/${followed}/live`
      const message = `no live match has the id ${matchText.slice(0, 64)}; GET ${API_ROOT}${where} lists all live matches`
      return yield* Effect.fail(body("MATCH_NOT_FOUND", message))
    }
    const requested: Requested = { ...options, game, matchId, cursor: cursorOf(request, matchId) }
    return (ticket: Ticket) => acceptStream<Stream>({ ticket, requested, client: undefined }, RECONNECT_AFTER_MS)
  })

  const listenFor = (followed: ChannelGame) =>
    server.sse<Stream, never>(API_ROOT + streamPathOf(followed), {
      limits: { maxBackpressureBytes: settings.maxBackpressureBytes, connectTimeoutMs: HANDSHAKE_WITHIN_MS },
      connect: (request) => admission.handshake<Stream>(request, streamChannel(followed), (key) => read(followed, request, key)),
      open: (connection) =>
        endpoint.open(
          connection.data,
          new StreamOutlet(connection, settings.maxBackpressureBytes),
          (client, { matchId, shape, pace, cursor }) => {
            const room = matchId === undefined ? ALL : matchRoom(matchId)
            client.whenRead([room], () => {
              client.session.enter(room, matchId, shape, pace, cursor)
              client.session.begin()
            })
          },
        ),
      ...endpoint.callbacks,
    })
  yield* endpoint.listen([undefined, ...gamesOf(yield* LiveGames)], listenFor)
})

/** Replaces an invalid cursor, or one of another match. No frame has it, so the client gets a `reset` message. */
const UNKNOWN_CURSOR: Cursor = { epoch: Number.MAX_SAFE_INTEGER, seq: 0 }

/**
 * A browser that reconnects sends its cursor in the header `Last-Event-ID`. A client that has stored its cursor sends
 * the parameter `lastEventId` when it first connects.
 */
const cursorOf = (request: UpgradeRequest, matchId: MatchId | undefined): Cursor | undefined => {
  const text = request.headers["last-event-id"] ?? request.query.get("lastEventId")
  if (text === null || text === undefined || text === "") return undefined
  const cursor = parseCursor(text)
  return cursor === undefined || (matchId !== undefined && cursor.matchId !== matchId) ? UNKNOWN_CURSOR : cursor
}

export class LiveStream {
  static readonly layer = Layer.effectDiscard(serve)
}
