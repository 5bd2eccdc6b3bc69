/** `/<game>/live/ws` and `/live/ws`: rooms over a WebSocket. `SocketDialogue` handles the messages. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { type ChannelGame, socketPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { accept } from "@matchpoint/uws/ConnectDecision"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import type { WebSocketConnection } from "@matchpoint/uws/WebSocketConnection"
import { Clock, Effect, Layer, Metric } from "effect"
import { gamesOf, LiveGames } from "../live/LiveGames.ts"
import { Admission } from "./Admission.ts"
import { socketChannel, visibleGame } from "./channels.ts"
import { HANDSHAKE_WITHIN_MS, streamOptionsOf } from "./handshake.ts"
import type { ClientOptions, LiveClient } from "./LiveClient.ts"
import { type Admitted, liveEndpoint } from "./LiveEndpoint.ts"
import { messagesAtOnce, SocketDialogue } from "./SocketDialogue.ts"
import { SocketOutlet } from "./SocketOutlet.ts"

export const socketsOpen = Metric.gauge("matchpoint_gateway_websockets", { description: "Open WebSockets" })

const LOOK_AFTER_READING = "250 millis"

interface Requested extends ClientOptions {
  readonly firstRoom: string | undefined
}

interface Socket extends Admitted<SocketOutlet, Requested> {
  /** Created when the client first enters a room or sends a message: idle clients need none. */
  dialogue: SocketDialogue | undefined
  /** Messages that wait for a later turn of the event loop. */
  waiting: number
}

type Connection = WebSocketConnection<Socket>

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const settings = yield* GatewayConfig
  const now = monotonicOf(yield* Clock.Clock)
  const endpoint = yield* liveEndpoint<SocketOutlet>({
    open: socketsOpen,
    drain: (client, clients) => client.requestReconnect("draining", clients),
  })

  const dialogueOf = (socket: Socket, client: LiveClient): SocketDialogue => {
    socket.dialogue ??= new SocketDialogue(client, now)
    return socket.dialogue
  }

  const receive = ({ data: socket }: Connection, data: ArrayBuffer, isBinary: boolean): void => {
    const { client } = socket
    client?.isolated(() => dialogueOf(socket, client).receive(data, isBinary))
  }

  /** A client may send hundreds of messages at once, each of which takes up to a millisecond. */
  const receiveLater = (connection: Connection, data: ArrayBuffer, isBinary: boolean): void => {
    const socket = connection.data
    if (socket.waiting >= messagesAtOnce(settings)) {
      connection.end(closeCodes.tooManyMessages.code, closeCodes.tooManyMessages.reason)
      return
    }
    socket.waiting += 1
    // The native buffer becomes invalid when the callback returns.
    const copy = data.slice(0)
    server.turns.later(() => {
      socket.waiting -= 1
      if (!connection.closed) receive(connection, copy, isBinary)
    })
  }

  const listenFor = (followed: ChannelGame) =>
    server.websocket<Socket, never>(API_ROOT + socketPathOf(followed), {
      limits: {
        maxPayloadBytes: settings.maxMessageBytes,
        maxBackpressureBytes: settings.maxBackpressureBytes,
        idleTimeoutSeconds: settings.idleTimeoutSeconds,
        upgradeTimeoutMs: HANDSHAKE_WITHIN_MS,
      },
      upgrade: (request) =>
        admission.handshake<Socket>(request, socketChannel(followed), (key) =>
          Effect.map(streamOptionsOf(request.query), (options) => {
            const matchId = request.query.get("matchId")
            const firstRoom = matchId === null ? undefined : `match:${matchId}`
            const requested = { ...options, game: visibleGame(followed, key), firstRoom }
            return (ticket) => accept({ ticket, requested, client: undefined, dialogue: undefined, waiting: 0 })
          }),
        ),
      open: (connection) =>
        endpoint.open(connection.data, new SocketOutlet(connection, settings.maxBackpressureBytes), (client, { firstRoom }) => {
          if (firstRoom !== undefined) dialogueOf(connection.data, client).subscribe({ action: "subscribe", rooms: [firstRoom] })
        }),
      message: (connection, data, isBinary) => {
        if (server.turns.mayStart()) receive(connection, data, isBinary)
        else receiveLater(connection, data, isBinary)
      },
      pong: ({ data: { client } }) => {
        if (client?.outlet.reading.answered() === true) client.drained()
      },
      ...endpoint.callbacks,
    })
  yield* endpoint.listen([undefined, ...gamesOf(yield* LiveGames)], listenFor)

  const lookAfterReading = Effect.sync(() => {
    const at = now()
    for (const client of endpoint.clients) {
      const step = client.outlet.reading.check(client.session.publishedBytes, at, settings.unreadMs)
      if (step === "ask") client.outlet.ping()
      else if (step === "stopped") client.skipped(undefined)
    }
  })
  yield* repeatedly("checking which clients read", Effect.delay(lookAfterReading, LOOK_AFTER_READING))
})

export class LiveSocket {
  static readonly layer = Layer.effectDiscard(serve)
}
