/**
 * Serves `/<game>/live/{matchId}/replay`: a stored match as server-sent events. This module owns the connections;
 * `replay.ts` decides what is sent.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { body, ServiceUnavailable, TooManyReplays, ValidationError } from "@matchpoint/contracts/http/errors"
import { unknownParameter } from "@matchpoint/contracts/http/QueryRules"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import { type ControlMessage, controlEvents, type Reconnect } from "@matchpoint/contracts/stream/messages"
import { parseRoom, replayRoom } from "@matchpoint/contracts/stream/rooms"
import { replayPathOf } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { Meter } from "@matchpoint/metering/Meter"
import { cursorOf } from "@matchpoint/realtime/ClientSession"
import { frameEvent, sseEvent } from "@matchpoint/realtime/sseEvents"
import { type Accept, accept } from "@matchpoint/uws/ConnectDecision"
import type { SseConnection } from "@matchpoint/uws/SseConnection"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Latch, Layer, Random, Result } from "effect"
import { gamesOf, LiveGames } from "../live/LiveGames.ts"
import { Admission } from "../stream/Admission.ts"
import { replayChannel } from "../stream/channels.ts"
import { readyFor, reconnectAfterMs } from "../stream/handshake.ts"
import { OpenStreams, type Ticket } from "../stream/OpenStreams.ts"
import { finalErrorOf, type StreamEnd } from "../stream/streamEnds.ts"
import { UnsentBytes } from "../stream/UnsentBytes.ts"
import type { ReplaySink } from "./ReplaySink.ts"
import { notFound, type ReplayHandle, Replays } from "./Replays.ts"
import { parseReplayQuery, type ReplayQuery, replayParameters } from "./replayQuery.ts"

const RECONNECT_AFTER_MS = 1_000
/**
 * Reconnect delay that is sent to the client at the end of a replay, in milliseconds. Browsers reconnect automatically.
 * The long delay gives the client time to notice that the replay has ended and to close the connection.
 */
const NOT_SOON_MS = 3_600_000

interface Client {
  readonly ticket: Ticket
  readonly matchId: MatchId
  readonly replayQuery: ReplayQuery
  readonly drained: Latch.Latch
  handle: ReplayHandle | undefined
  /** Cursor of the last frame sent. */
  cursor: Cursor | undefined
}

type Connection = SseConnection<Client>

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const streams = yield* OpenStreams
  const { enabled: isMetered } = yield* Meter
  const replays = yield* Replays
  const unsent = yield* UnsentBytes
  const hub = yield* LiveHub
  const settings = yield* GatewayConfig
  const random = yield* Random.Random
  const connections = new Set<Connection>()

  const read = Effect.fnUntraced(function* (game: GameName, request: UpgradeRequest, key: Customer) {
    const parsed = parseRoom(`match:${request.params["matchId"] ?? ""}`)
    const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
    if (matchId === undefined || gameOfMatch(matchId) !== game) return yield* Effect.fail(body("MATCH_NOT_FOUND", notFound))
    const unknown = unknownParameter(request.query.keys(), replayParameters)
    if (unknown !== undefined) return yield* unknown
    const replayQuery = parseReplayQuery(matchId, request.query, request.headers["last-event-id"])
    if (Result.isFailure(replayQuery)) {
      const { parameter, expected } = replayQuery.failure
      return yield* ValidationError.because(`${parameter} must be ${expected}`, replayQuery.failure)
    }
    if (!replays.hasRoomFor(key)) return yield* TooManyReplays.of(key.plan)
    if (!(yield* replays.exists(matchId, hub.edgeFor(key.plan)))) {
      return yield* Effect.fail(body("MATCH_NOT_FOUND", notFound, { matchId }))
    }
    const tooOld = yield* replays.tooOld(matchId, key)
    if (tooOld !== undefined) return yield* tooOld
    const { resume } = replayQuery.success
    return (ticket: Ticket): Accept<Client> =>
      accept(
        { ticket, matchId, replayQuery: replayQuery.success, drained: Latch.makeUnsafe(), handle: undefined, cursor: resume },
        { headers: { "access-control-allow-origin": "*" }, retryMs: RECONNECT_AFTER_MS },
      )
  })

  const requestReconnect = (connection: Connection, reason: Reconnect["reason"]): void => {
    const { cursor, handle, matchId } = connection.data
    handle?.stop()
    const resume: Record<string, Cursor> = cursor === undefined ? {} : { [replayRoom(matchId)]: cursor }
    sendControl(connection, { type: "reconnect", reason, after_ms: reconnectAfterMs(random), resume })
  }

  const disconnect = (connection: Connection, ending: StreamEnd): void => {
    const finalError = finalErrorOf(ending)
    if (finalError === undefined) {
      requestReconnect(connection, "plan_changed")
      connection.end()
    } else connection.end(sseEvent(controlEvents.error, finalError))
  }

  const listenFor = (game: GameName) =>
    server.sse<Client, never>(API_ROOT + replayPathOf(game), {
      limits: { maxBackpressureBytes: settings.maxBackpressureBytes },
      connect: (request) =>
        admission.handshake<Client>(request, replayChannel(game), (key) =>
          Effect.catchTag(read(game, request, key), "LogError", (error) =>
            Effect.andThen(
              Effect.logError("a replay could not start because the log does not answer", error),
              Effect.fail(ServiceUnavailable.because("the log does not answer; try again later")),
            ),
          ),
        ),
      open: (connection) => {
        connections.add(connection)
        const { ticket, matchId, replayQuery } = connection.data
        const { key } = ticket
        ticket.holder = { end: (ending) => disconnect(connection, ending) }
        sendControl(connection, readyFor(key, { shape: replayQuery.shape, pace: "immediate", policy: "catchup" }, settings, isMetered))
        const watermark = hub.edgeFor(key.plan)
        const sink = sinkOf(connection, settings.maxBackpressureBytes)
        connection.data.handle = replays.start({ matchId, ...replayQuery, watermark, key, sink, over: () => connection.end() })
        if (connection.data.handle === undefined) {
          sendControl(connection, { type: "error", code: "TOO_MANY_REPLAYS", message: TooManyReplays.of(key.plan).error.message })
          connection.end()
        }
      },
      drain: ({ data }) => data.drained.openUnsafe(),
      close: (connection) => {
        connections.delete(connection)
        connection.data.handle?.stop()
        connection.data.ticket.release()
      },
    })
  yield* Effect.forEach(gamesOf(yield* LiveGames), listenFor, { discard: true })

  yield* unsent.register<Connection>({
    connections,
    bytesOf: ({ bufferedBytes }) => bufferedBytes,
    end: () => false,
    cut: (connection) => connection.cut(),
  })

  yield* server.onShutdown(() => {
    streams.drain()
    for (const connection of connections) requestReconnect(connection, "draining")
  })
})

const sinkOf = (connection: Connection, limit: number): ReplaySink => ({
  // This transport has no snapshot messages, because the API specification defines no snapshot event for server-sent
  // events. In message format v1, the stream starts with an update instead, which contains the complete document.
  knowsSnapshots: false,
  begin: () => {},
  isReady: () => {
    // Sending pauses as soon as a quarter of the buffer limit is used. The limit is therefore never reached and no
    // frame is skipped.
    if (connection.bufferedBytes < limit / 4) return true
    connection.data.drained.closeUnsafe()
    return false
  },
  drained: connection.data.drained.await,
  frame: (kind, frame, bytes) => {
    connection.data.cursor = cursorOf(frame)
    connection.write(frameEvent(kind, frame, bytes))
  },
  sendControl: (message) => sendControl(connection, message),
  cut: (reason) => (reason === "fault" ? connection.end() : connection.cut()),
  fail: () => connection.end(),
})

const sendControl = (connection: Connection, message: ControlMessage): void => {
  connection.write(sseEvent(message.type === "heartbeat" ? controlEvents.ping : message.type, message, optionsOf(message)))
}

const optionsOf = (message: ControlMessage) =>
  message.type === "replay_ended" ? { retryMs: NOT_SOON_MS } : message.type === "reconnect" ? { retryMs: message.after_ms } : {}

export class LiveReplay {
  static readonly layer = Layer.effectDiscard(serve)
}
