/** `/cs2/live/stream`: server-sent events for one match or all of them. */
import { STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { parseCursor } from "@matchpoint/contracts/stream/cursors"
import { type ServerMessage, type StreamError, sseEvents } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Outlet } from "@matchpoint/realtime/Outlet"
import { Session } from "@matchpoint/realtime/Session"
import { frameEvent, positionBeforeEvent, sseEvent } from "@matchpoint/realtime/sseEvents"
import type { SseConnection } from "@matchpoint/uws/SseConnection"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { accept } from "@matchpoint/uws/Verdict"
import { Clock, Effect, Layer, Metric, Random, Result } from "effect"
import { repeatedly } from "../clockwork.ts"
import { GatewayConfig } from "../GatewayConfig.ts"
import { LiveHub } from "../LiveHub.ts"
import { Admission, type Ticket } from "./Admission.ts"
import { Backfill } from "./Backfill.ts"
import { containedIn } from "./contained.ts"
import { readyFor, refusal, refuse, type Wish, wishesOf, wishOf } from "./handshake.ts"
import { RECONNECT_WITHIN_MS, slowClients } from "./LiveSocket.ts"

export const streamsOpen = Metric.gauge("gateway_sse_streams", { description: "Open SSE streams" })

const RECONNECT_AFTER_MS = 2_000
const LOOK_AFTER_STUCK = "5 seconds"

interface Client {
  readonly ticket: Ticket
  readonly wish: Wish
  /** Undefined: all live matches. */
  readonly matchId: MatchId | undefined
  /** From `Last-Event-ID`. Null: there is one, but none of ours. */
  readonly cursor: ReturnType<typeof parseCursor> | null
  /** From the moment the stream is open. */
  session: Session | undefined
}

type Connection = SseConnection<Client>

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const hub = yield* LiveHub
  const backfill = yield* Backfill
  const settings = yield* GatewayConfig
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const context = yield* Effect.context<never>()
  const connections = new Set<Connection>()

  const run = containedIn(context)
  const contained = (connection: Connection, work: () => void): void => run(() => connection.end(), work)

  yield* server.sse<Client, never>(API_ROOT + STREAM_PATH, {
    limits: { maxBackpressureBytes: settings.maxBackpressureBytes },
    connect: (request) =>
      admission.identify(request, { keyInQuery: true }).pipe(
        Effect.map((key) => {
          const wishes = wishesOf(request.query)
          if (Result.isFailure(wishes)) return refuse("VALIDATION_ERROR", "the query does not fit", { issue: wishes.failure.message })
          const matchText = request.query.get("matchId")
          const parsed = matchText === null ? undefined : parseRoom(`match:${matchText}`)
          const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
          if (matchText !== null && (matchId === undefined || hub.edgeFor(key.plan).rooms.get(matchId) === undefined)) {
            return refuse("MATCH_NOT_FOUND", `no live match has the id ${matchText.slice(0, 64)}; GET ${API_ROOT}/cs2/live lists them`)
          }
          const ticket = admission.enter(key)
          if (ticket === undefined) return refuse("TOO_MANY_CONNECTIONS", "the plan's last connection was taken this moment")
          const client: Client = { ticket, wish: wishOf(wishes.success), matchId, cursor: cursorOf(request), session: undefined }
          return accept(client, { headers: { "access-control-allow-origin": "*" }, retryMs: RECONNECT_AFTER_MS })
        }),
        Effect.catch((error) => Effect.succeed(refusal(error))),
      ),
    open: (connection) => {
      connections.add(connection)
      streamsOpen.updateUnsafe(connections.size, context)
      const { ticket, wish, matchId, cursor } = connection.data
      const session = new Session({
        edge: hub.edgeFor(ticket.key.plan),
        outlet: outletOf(connection, settings.maxBackpressureBytes),
        shape: wish.shape,
        pace: wish.pace,
        policy: wish.policy,
        older: backfill,
        now: () => clock.currentTimeMillisUnsafe(),
      })
      connection.data.session = session
      const isOther = cursor === null || (matchId !== undefined && cursor !== undefined && cursor.matchId !== matchId)
      const resume = isOther ? UNKNOWN_CURSOR : cursor
      contained(connection, () => {
        session.say(readyFor(ticket.key, wish, settings))
        session.enter(matchId === undefined ? ALL : matchRoom(matchId), matchId, wish.shape, wish.pace, resume)
        session.begin()
      })
    },
    drain: (connection) => contained(connection, () => connection.data.session?.drained()),
    dropped: (connection, skipped) => {
      slowClients.updateUnsafe(1, context)
      contained(connection, () => connection.data.session?.skipped(positionBeforeEvent(skipped)))
    },
    close: (connection) => {
      connections.delete(connection)
      streamsOpen.updateUnsafe(connections.size, context)
      connection.data.session?.close()
      connection.data.ticket.release()
    },
  })

  const lookAfterAll = Effect.sync(() => {
    for (const { data } of connections) data.session?.lookAfter(settings.slowestSeconds * 1_000)
  })
  yield* repeatedly("looking after slow clients", Effect.delay(lookAfterAll, LOOK_AFTER_STUCK))

  const goodbye: StreamError = { type: "error", code: "SHUTTING_DOWN", message: "the server is shutting down; connect again" }
  yield* server.farewell(() => {
    for (const { data } of connections) {
      data.session?.sayGoodbye(Math.floor(random.nextDoubleUnsafe() * RECONNECT_WITHIN_MS))
      data.session?.say(goodbye)
    }
  })
})

/** A cursor that no history has: answered by a reset. */
const UNKNOWN_CURSOR = { epoch: Number.MAX_SAFE_INTEGER, seq: 0 }

/** Browsers send the header when they reconnect; the parameter is for the first connect of a client that kept its cursor. */
const cursorOf = (request: UpgradeRequest): Client["cursor"] => {
  const text = request.headers["last-event-id"] ?? request.query.get("lastEventId")
  return text === null || text === undefined || text === "" ? undefined : (parseCursor(text) ?? null)
}

const outletOf = (connection: Connection, limit: number): Outlet => ({
  frame: (kind, frame, bytes, isCursor) => {
    // The specification knows no snapshot event: shape v1 begins with updates, which are whole anyway.
    const isV1Snapshot = kind === "snapshot" && connection.data.wish.shape === "v1"
    connection.write(frameEvent(isV1Snapshot ? "update" : kind, frame, isV1Snapshot ? frame.update : bytes, isCursor))
  },
  say: (message, cursor) => {
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

const eventOf = (message: { readonly type: ServerMessage["type"] }): string => {
  switch (message.type) {
    case "heartbeat":
      return sseEvents.ping
    default:
      return message.type
  }
}

const optionsOf = (message: Exclude<ServerMessage, { readonly data: unknown }>, cursor: string | undefined) => ({
  ...(cursor === undefined ? {} : { id: cursor }),
  // What EventSource waits before it connects again.
  ...(message.type === "reconnect" ? { retryMs: message.after_ms } : {}),
})

export class LiveStream {
  static readonly layer = Layer.effectDiscard(serve)
}
