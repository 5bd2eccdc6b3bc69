/** `/<game>/live/stream` and `/live/stream`: server-sent events for one match or for all matches. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { body, ValidationError } from "@matchpoint/contracts/http/errors"
import { unknownParameter } from "@matchpoint/contracts/http/QueryRules"
import { parseCursor } from "@matchpoint/contracts/stream/cursors"
import { type ControlMessage, controlEvents, type StreamError } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { type ChannelGame, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { Meter } from "@matchpoint/metering/Meter"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { ClientSession } from "@matchpoint/realtime/ClientSession"
import type { SessionConnection } from "@matchpoint/realtime/SessionConnection"
import { frameEvent, positionBeforeEvent, sseEvent } from "@matchpoint/realtime/sseEvents"
import { accept } from "@matchpoint/uws/ConnectDecision"
import type { SseConnection } from "@matchpoint/uws/SseConnection"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Clock, Effect, Layer, Metric, Random, Result } from "effect"
import { gamesOf, LiveGames } from "../live/LiveGames.ts"
import { Admission } from "./Admission.ts"
import { Backfill } from "./Backfill.ts"
import { streamChannel, visibleGame } from "./channels.ts"
import { containedIn } from "./contained.ts"
import {
  channelParameters,
  HANDSHAKE_WITHIN_MS,
  queryOptionsOf,
  readyFor,
  reconnectAfterMs,
  type StreamOptions,
  streamOptionsOf,
} from "./handshake.ts"
import { slowClients } from "./LiveSocket.ts"
import { OpenStreams, type Ticket } from "./OpenStreams.ts"
import { finalErrorOf, type StreamEnd } from "./streamEnds.ts"
import { UnsentBytes } from "./UnsentBytes.ts"

export const streamsOpen = Metric.gauge("matchpoint_gateway_sse_streams", { description: "Open SSE streams" })

const RECONNECT_AFTER_MS = 2_000
const LOOK_AFTER_STUCK = "5 seconds"

interface Client {
  readonly ticket: Ticket
  readonly options: StreamOptions
  /** The match to follow. If undefined, the client follows all live matches. */
  readonly matchId: MatchId | undefined
  /** Cursor from which the client resumes. Undefined if the client sent no cursor, null if the cursor is invalid. */
  readonly cursor: ReturnType<typeof parseCursor> | null
  /** Session of this client. Set once the stream is open. */
  session: ClientSession | undefined
  /** Stops waiting until the gateway reads the match or matches. */
  stopWaiting: (() => void) | undefined
}

type Connection = SseConnection<Client>

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const streams = yield* OpenStreams
  const { enabled: isMetered } = yield* Meter
  const hub = yield* LiveHub
  const backfill = yield* Backfill
  const unsent = yield* UnsentBytes
  const settings = yield* GatewayConfig
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const context = yield* Effect.context<never>()
  const connections = new Set<Connection>()

  const run = containedIn(context)
  const isolateDefects = (connection: Connection, work: () => void): void => run(() => connection.end(), work)

  const disconnect = (connection: Connection, ending: StreamEnd): void => {
    const finalError = finalErrorOf(ending)
    if (finalError === undefined) {
      connection.data.session?.requestReconnect("plan_changed", reconnectAfterMs(random))
      connection.end()
    } else connection.end(sseEvent(controlEvents.error, finalError))
  }

  const listenFor = (followed: ChannelGame) =>
    server.sse<Client, never>(API_ROOT + streamPathOf(followed), {
      limits: { maxBackpressureBytes: settings.maxBackpressureBytes, connectTimeoutMs: HANDSHAKE_WITHIN_MS },
      connect: (request) =>
        admission.handshake<Client>(request, streamChannel(followed), (key) => {
          const unknown = unknownParameter(request.query.keys(), [...channelParameters, "lastEventId"])
          if (unknown !== undefined) return Effect.fail(unknown)
          const queryOptions = queryOptionsOf(request.query)
          if (Result.isFailure(queryOptions)) {
            return Effect.fail(ValidationError.because("the query is invalid", { issue: queryOptions.failure.message }))
          }
          const matchText = request.query.get("matchId")
          const parsed = matchText === null ? undefined : parseRoom(`match:${matchText}`)
          const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
          const game = visibleGame(followed, key)
          const isSeen = matchId !== undefined && (game === undefined || gameOfMatch(matchId) === game)
          const isServed = isSeen && hub.edgeFor(key.plan).rooms.get(matchId) !== undefined
          if (matchText !== null && !isServed) {
            const where = followed === undefined ? "/<game>/live" : `/${followed}/live`
            const message = `no live match has the id ${matchText.slice(0, 64)}; GET ${API_ROOT}${where} lists all live matches`
            return Effect.fail(body("MATCH_NOT_FOUND", message))
          }
          const options = streamOptionsOf(queryOptions.success)
          const cursor = cursorOf(request)
          return Effect.succeed((ticket) =>
            accept(
              { ticket, options, matchId, cursor, session: undefined, stopWaiting: undefined },
              { headers: { "access-control-allow-origin": "*" }, retryMs: RECONNECT_AFTER_MS },
            ),
          )
        }),
      open: (connection) => {
        connections.add(connection)
        streamsOpen.updateUnsafe(connections.size, context)
        const { ticket, options, matchId, cursor } = connection.data
        const game = visibleGame(followed, ticket.key)
        const session = new ClientSession({
          ...(game === undefined ? undefined : { game }),
          edge: hub.edgeFor(ticket.key.plan),
          outlet: outletOf(connection, settings.maxBackpressureBytes),
          shape: options.shape,
          pace: options.pace,
          policy: options.policy,
          older: backfill,
          now: monotonicOf(clock),
        })
        connection.data.session = session
        ticket.holder = { end: (ending) => isolateDefects(connection, () => disconnect(connection, ending)) }
        const isOther = cursor === null || (matchId !== undefined && cursor !== undefined && cursor.matchId !== matchId)
        const resume = isOther ? UNKNOWN_CURSOR : cursor
        isolateDefects(connection, () => {
          session.sendControl(readyFor(ticket.key, options, settings, isMetered))
        })
        const room = matchId === undefined ? ALL : matchRoom(matchId)
        connection.data.stopWaiting = hub.whenRead(session.edge, [room], () =>
          isolateDefects(connection, () => {
            session.enter(room, matchId, options.shape, options.pace, resume)
            session.begin()
          }),
        )
      },
      drain: (connection) => isolateDefects(connection, () => connection.data.session?.drained()),
      dropped: (connection, skipped) => {
        slowClients.updateUnsafe(1, context)
        isolateDefects(connection, () => connection.data.session?.skipped(positionBeforeEvent(skipped)))
      },
      close: (connection) => {
        connections.delete(connection)
        streamsOpen.updateUnsafe(connections.size, context)
        connection.data.stopWaiting?.()
        connection.data.session?.close()
        connection.data.ticket.release()
      },
    })
  yield* Effect.forEach([undefined, ...gamesOf(yield* LiveGames)], listenFor, { discard: true })

  const lookAfterAll = Effect.sync(() => {
    for (const { data } of connections) data.session?.checkTimeouts(settings.slowestSeconds * 1_000)
  })
  yield* repeatedly("checking slow clients", Effect.delay(lookAfterAll, LOOK_AFTER_STUCK))

  yield* unsent.register<Connection>({
    connections,
    bytesOf: ({ bufferedBytes }) => bufferedBytes,
    end: () => false,
    cut: (connection) => connection.cut(),
  })

  const shuttingDown: StreamError = { type: "error", code: "SHUTTING_DOWN", message: "the server is shutting down; reconnect" }
  yield* server.onShutdown(() => {
    streams.drain()
    for (const { data } of connections) {
      data.session?.requestReconnect("draining", reconnectAfterMs(random, connections.size))
      data.session?.sendControl(shuttingDown)
    }
  })
})

/** Cursor used in place of an invalid one. No frame has this cursor, so the client receives a `reset` message. */
const UNKNOWN_CURSOR = { epoch: Number.MAX_SAFE_INTEGER, seq: 0 }

/**
 * Returns the cursor that the client sent. When a browser reconnects, it sends the cursor in the header
 * `Last-Event-ID`. A client that has stored its cursor sends it as the parameter `lastEventId` when it connects for the
 * first time.
 */
const cursorOf = (request: UpgradeRequest): Client["cursor"] => {
  const text = request.headers["last-event-id"] ?? request.query.get("lastEventId")
  return text === null || text === undefined || text === "" ? undefined : (parseCursor(text) ?? null)
}

const outletOf = (connection: Connection, limit: number): SessionConnection => ({
  // This transport has no snapshot messages, because the API specification defines no snapshot event for server-sent
  // events. In message format v1, the stream starts with updates instead, which contain the complete document.
  knowsSnapshots: false,
  frame: (kind, frame, bytes, isCursor) => {
    connection.write(frameEvent(kind, frame, bytes, isCursor))
  },
  sendControl: (message, cursor) => {
    const before = connection.bufferedBytes
    const left = connection.write(sseEvent(eventOf(message), message, optionsOf(message, cursor)))
    return left || connection.bufferedBytes > before || connection.closed
  },
  join: (channel) => {
    channel.streams += 1
    connection.subscribe(channel.topic)
  },
  leave: (channel) => {
    channel.streams -= 1
    connection.unsubscribe(channel.topic)
  },
  hasRoom: () => !connection.closed && connection.bufferedBytes < limit / 4,
  endSlow: () => connection.cut(),
})

const eventOf = (message: { readonly type: ControlMessage["type"] }): string => {
  switch (message.type) {
    case "heartbeat":
      return controlEvents.ping
    default:
      return message.type
  }
}

const optionsOf = (message: ControlMessage, cursor: string | undefined) => ({
  ...(cursor === undefined ? {} : { id: cursor }),
  // `retryMs` sets how long EventSource waits before it reconnects.
  ...(message.type === "reconnect" ? { retryMs: message.after_ms } : {}),
})

export class LiveStream {
  static readonly layer = Layer.effectDiscard(serve)
}
