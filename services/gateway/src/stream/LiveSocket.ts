/**
 * Serves `/<game>/live/ws` and `/live/ws`: rooms over a WebSocket. This module owns the connections and their limits;
 * `SocketDialogue` handles the messages.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { unknownParameter } from "@matchpoint/contracts/http/QueryRules"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { type ChannelGame, socketPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { positionBefore } from "@matchpoint/contracts/stream/wire"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { Meter } from "@matchpoint/metering/Meter"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import type { Channel } from "@matchpoint/realtime/Channel"
import { ClientSession } from "@matchpoint/realtime/ClientSession"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { SessionConnection } from "@matchpoint/realtime/SessionConnection"
import type { FrameKind } from "@matchpoint/realtime/sseEvents"
import { accept } from "@matchpoint/uws/ConnectDecision"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import type { WebSocketConnection } from "@matchpoint/uws/WebSocketConnection"
import { Clock, Effect, Layer, Metric, Random, Result } from "effect"
import { gamesOf, LiveGames } from "../live/LiveGames.ts"
import { Replays } from "../replay/Replays.ts"
import { Admission } from "./Admission.ts"
import { Backfill } from "./Backfill.ts"
import { socketChannel, visibleGame } from "./channels.ts"
import { containedIn } from "./contained.ts"
import { channelParameters, HANDSHAKE_WITHIN_MS, queryOptionsOf, readyFor, type StreamOptions, streamOptionsOf } from "./handshake.ts"
import { OpenStreams, type Ticket } from "./OpenStreams.ts"
import { messagesAtOnce, type SocketControl, SocketDialogue } from "./SocketDialogue.ts"
import { UnsentBytes } from "./UnsentBytes.ts"

export const socketsOpen = Metric.gauge("matchpoint_gateway_websockets", { description: "Open WebSockets" })
export const slowClients = Metric.counter("matchpoint_gateway_slow_clients_total", {
  description: "Times that frames were skipped because a client read too slowly",
  incremental: true,
})

const LOOK_AFTER_STUCK = "5 seconds"
const LOOK_AFTER_READING = "250 millis"

interface Client {
  readonly ticket: Ticket
  /**
   * Options from the query of the URL. Clients stay connected for hours, so the options are removed as soon as the
   * socket is open, to save memory.
   */
  requested: { readonly options: StreamOptions; readonly firstRoom: string | undefined } | undefined
  /** Message handler of this client. Set once the socket is open. */
  dialogue: SocketDialogue | undefined
  /** Messages that wait for a later turn of the event loop. */
  waiting: number
}

type Connection = WebSocketConnection<Client>

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const streams = yield* OpenStreams
  const { enabled: isMetered } = yield* Meter
  const hub = yield* LiveHub
  const backfill = yield* Backfill
  const unsent = yield* UnsentBytes
  const replays = yield* Replays
  const settings = yield* GatewayConfig
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const context = yield* Effect.context<never>()
  const connections = new Set<Connection>()
  const now = monotonicOf(clock)

  const run = containedIn(context)
  const isolateDefects = (connection: SocketControl, work: () => void): void =>
    run(() => connection.end(closeCodes.internalError.code, closeCodes.internalError.reason), work)
  const host = { settings, replays, clock, random, whenRead: hub.whenRead, isolated: isolateDefects }

  const receive = (connection: Connection, data: ArrayBuffer, isBinary: boolean): void =>
    isolateDefects(connection, () => connection.data.dialogue?.receive(data, isBinary))

  /** A client may send hundreds of messages at once, each of which takes up to a millisecond. */
  const receiveLater = (connection: Connection, data: ArrayBuffer, isBinary: boolean): void => {
    const client = connection.data
    if (client.waiting >= messagesAtOnce(settings)) {
      connection.end(closeCodes.tooManyMessages.code, closeCodes.tooManyMessages.reason)
      return
    }
    client.waiting += 1
    // Copies the message, because the native buffer becomes invalid when the callback returns.
    const copy = data.slice(0)
    server.turns.later(() => {
      client.waiting -= 1
      if (!connection.closed) receive(connection, copy, isBinary)
    })
  }

  const listenFor = (followed: ChannelGame) =>
    server.websocket<Client, never>(API_ROOT + socketPathOf(followed), {
      limits: {
        maxPayloadBytes: settings.maxMessageBytes,
        maxBackpressureBytes: settings.maxBackpressureBytes,
        idleTimeoutSeconds: settings.idleTimeoutSeconds,
        upgradeTimeoutMs: HANDSHAKE_WITHIN_MS,
      },
      upgrade: (request) =>
        admission.handshake<Client>(request, socketChannel(followed), () => {
          const unknown = unknownParameter(request.query.keys(), channelParameters)
          if (unknown !== undefined) return Effect.fail(unknown)
          const queryOptions = queryOptionsOf(request.query)
          if (Result.isFailure(queryOptions)) {
            return Effect.fail(ValidationError.because("the query is invalid", { issue: queryOptions.failure.message }))
          }
          const matchId = request.query.get("matchId")
          const firstRoom = matchId === null ? undefined : `match:${matchId}`
          return Effect.succeed((ticket) =>
            accept({ ticket, requested: { options: streamOptionsOf(queryOptions.success), firstRoom }, dialogue: undefined, waiting: 0 }),
          )
        }),
      open: (connection) => {
        connections.add(connection)
        socketsOpen.updateUnsafe(connections.size, context)
        const { requested, ticket } = connection.data
        if (requested === undefined) return
        connection.data.requested = undefined
        const { firstRoom, options } = requested
        const edge = hub.edgeFor(ticket.key.plan)
        const outlet = new SocketOutlet(connection, settings.maxBackpressureBytes)
        const game = visibleGame(followed, ticket.key)
        const session = new ClientSession({
          edge,
          ...(game === undefined ? undefined : { game }),
          outlet,
          shape: options.shape,
          pace: options.pace,
          policy: options.policy,
          older: backfill,
          now,
        })
        const dialogue = new SocketDialogue(host, session, outlet, ticket.key, connection)
        connection.data.dialogue = dialogue
        ticket.holder = dialogue
        isolateDefects(connection, () => {
          session.sendControl(readyFor(ticket.key, options, settings, isMetered))
          if (firstRoom !== undefined) dialogue.subscribe({ action: "subscribe", rooms: [firstRoom] })
        })
      },
      message: (connection, data, isBinary) => {
        if (server.turns.mayStart()) receive(connection, data, isBinary)
        else receiveLater(connection, data, isBinary)
      },
      pong: (connection) => {
        const { dialogue } = connection.data
        if (dialogue?.reading.answered() === true) isolateDefects(connection, () => dialogue.drained())
      },
      drain: (connection) => isolateDefects(connection, () => connection.data.dialogue?.drained()),
      dropped: (connection, skipped) => {
        slowClients.updateUnsafe(1, context)
        isolateDefects(connection, () => connection.data.dialogue?.session.skipped(positionBefore(skipped)))
      },
      close: (connection) => {
        connections.delete(connection)
        socketsOpen.updateUnsafe(connections.size, context)
        connection.data.dialogue?.close()
        connection.data.ticket.release()
      },
    })
  yield* Effect.forEach([undefined, ...gamesOf(yield* LiveGames)], listenFor, { discard: true })

  const lookAfterAll = Effect.sync(() => {
    for (const { data } of connections) data.dialogue?.session.checkTimeouts(settings.slowestSeconds * 1_000)
  })
  yield* repeatedly("checking slow clients", Effect.delay(lookAfterAll, LOOK_AFTER_STUCK))

  const lookAfterReading = Effect.sync(() => {
    const at = now()
    for (const connection of connections) {
      const { dialogue } = connection.data
      if (dialogue === undefined) continue
      const step = dialogue.reading.check(dialogue.session.publishedBytes, at, settings.unreadMs)
      if (step === "ask") connection.ping()
      else if (step === "stopped") {
        slowClients.updateUnsafe(1, context)
        isolateDefects(connection, () => dialogue.session.skipped(undefined))
      }
    }
  })
  yield* repeatedly("checking which clients read", Effect.delay(lookAfterReading, LOOK_AFTER_READING))

  yield* unsent.register<Connection>({
    connections,
    bytesOf: (connection) => connection.bufferedBytes(),
    end: (connection) => {
      connection.end(closeCodes.slowConsumer.code, closeCodes.slowConsumer.reason)
      return true
    },
    cut: (connection) => connection.cut(),
  })

  yield* server.onShutdown(() => {
    streams.drain()
    for (const { data } of connections) data.dialogue?.requestReconnect("draining", connections.size)
  })
})

/**
 * Connects a client's session to its socket. This is a class because an object with two fields takes less memory for an
 * idle client than one closure per method.
 */
class SocketOutlet implements SessionConnection {
  get knowsSnapshots(): boolean {
    return true
  }

  readonly #connection: Connection
  readonly #limit: number

  constructor(connection: Connection, limit: number) {
    this.#connection = connection
    this.#limit = limit
  }

  frame(_kind: FrameKind, _frame: Frame, bytes: Uint8Array): void {
    this.#connection.send(bytes)
  }

  sendControl(message: Parameters<SessionConnection["sendControl"]>[0]): boolean {
    return this.#connection.send(JSON.stringify(message)) !== "dropped"
  }

  join(channel: Channel): void {
    channel.sockets += 1
    this.#connection.subscribe(channel.topic)
  }

  leave(channel: Channel): void {
    channel.sockets -= 1
    this.#connection.unsubscribe(channel.topic)
  }

  /**
   * Returns true if the session may send more. The session stops at a quarter of the buffer limit. It therefore never
   * reaches the limit, where frames would be skipped.
   */
  hasRoom(): boolean {
    return !this.#connection.closed && this.#connection.bufferedBytes() < this.#limit / 4
  }

  endSlow(): void {
    this.#connection.end(closeCodes.slowConsumer.code, closeCodes.slowConsumer.reason)
  }
}

export class LiveSocket {
  static readonly layer = Layer.effectDiscard(serve)
}
