/** `/cs2/live/ws`: rooms over a WebSocket. Owns what clients may say and what they are answered; frames come from the hub. */

import { SOCKET_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { snapshotOfUpdate } from "@matchpoint/contracts/stream/frames"
import {
  ALL,
  decodeClientMessage,
  matchRoom,
  parseRoom,
  type StreamError,
  type StreamErrorCode,
} from "@matchpoint/contracts/stream/messages"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import type { ApiKey } from "@matchpoint/store/ApiKeys"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { accept } from "@matchpoint/uws/Verdict"
import type { WebSocketConnection } from "@matchpoint/uws/WebSocketConnection"
import { Effect, Layer, Metric, Result } from "effect"
import { Authenticator } from "../Authenticator.ts"
import { GatewayConfig, type GatewaySettings } from "../GatewayConfig.ts"
import { LiveHub } from "../LiveHub.ts"
import { Backlog } from "./Backlog.ts"
import { readyFor, refusal, secretOf } from "./handshake.ts"

export const socketsOpen = Metric.gauge("gateway_websockets", { description: "Open WebSockets" })
export const socketsClosed = Metric.counter("gateway_websockets_closed_total", {
  description: "WebSockets that were closed",
  incremental: true,
})

interface Follower {
  readonly key: ApiKey
  /** Followed at once, from the query. */
  readonly firstRoom: string | undefined
  readonly rooms: Set<string>
  readonly backlog: Backlog
  badMessages: number
}

type Connection = WebSocketConnection<Follower>

/** The transport has checked that a text message is UTF-8. */
const text = new TextDecoder()

const expected = 'expected {"action":"subscribe","rooms":["match:<matchId>"]}, "unsubscribe" or "ping"'

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const authenticator = yield* Authenticator
  const { rooms } = yield* LiveHub
  const settings = yield* GatewayConfig

  yield* server.websocket<Follower, never>(API_ROOT + SOCKET_PATH, {
    limits: {
      maxPayloadBytes: settings.maxMessageBytes,
      maxBackpressureBytes: settings.maxBackpressureBytes,
      idleTimeoutSeconds: settings.idleTimeoutSeconds,
    },
    upgrade: (request) =>
      authenticator.authenticate(secretOf(request, { inQuery: true })).pipe(
        Effect.map((key) => {
          const matchId = request.query.get("matchId")
          const firstRoom = matchId === null ? undefined : `match:${matchId}`
          return accept<Follower>({ key, firstRoom, rooms: new Set(), backlog: new Backlog(), badMessages: 0 })
        }),
        Effect.catch((error) => Effect.succeed(refusal(error))),
      ),
    open: (connection) => {
      connection.send(JSON.stringify(readyFor(connection.data.key)))
      if (connection.data.firstRoom !== undefined) subscribe(connection, rooms, [connection.data.firstRoom], settings)
    },
    message: (connection, data, isBinary) => answer(connection, rooms, data, isBinary, settings),
    drain: sendBacklog,
    dropped: (connection) => connection.end(closeCodes.slowConsumer.code, closeCodes.slowConsumer.reason),
  })
})

const answer = (connection: Connection, rooms: LiveRooms, data: ArrayBuffer, isBinary: boolean, settings: GatewaySettings): void => {
  if (isBinary) {
    complain(connection, settings, "BINARY_NOT_SUPPORTED", "send JSON text")
    return
  }
  const message = decodeClientMessage(text.decode(data))
  if (Result.isFailure(message)) {
    complain(connection, settings, "MALFORMED_MESSAGE", expected)
    return
  }
  switch (message.success.action) {
    case "subscribe":
      subscribe(connection, rooms, message.success.rooms, settings)
      break
    case "unsubscribe":
      unsubscribe(connection, message.success.rooms)
      break
    case "ping":
      connection.send('{"type":"pong"}')
  }
}

const tell = (connection: Connection, code: StreamErrorCode, message: string, room?: string): void => {
  const error: StreamError = room === undefined ? { type: "error", code, message } : { type: "error", code, message, room }
  connection.send(JSON.stringify(error))
}

/** A client that keeps sending nonsense costs itself its connection and nobody else anything. */
const complain = (connection: Connection, settings: GatewaySettings, code: StreamErrorCode, message: string): void => {
  connection.data.badMessages += 1
  if (connection.data.badMessages > settings.maxBadMessages) {
    connection.end(closeCodes.tooManyBadMessages.code, closeCodes.tooManyBadMessages.reason)
  } else {
    tell(connection, code, message)
  }
}

const subscribe = (connection: Connection, rooms: LiveRooms, asked: ReadonlyArray<string>, settings: GatewaySettings): void => {
  const { rooms: followed, backlog } = connection.data
  const added: Array<string> = []
  const snapshots = new Set<MatchRoom>()
  for (const room of asked) {
    const followedMatches = matchesOf(rooms, room)
    if (typeof followedMatches === "string") {
      tell(connection, followedMatches, whyNot[followedMatches], room)
    } else if (followed.size >= settings.maxRoomsPerSocket && !followed.has(room)) {
      tell(connection, "TOO_MANY_ROOMS", `a connection may follow ${settings.maxRoomsPerSocket} rooms`, room)
    } else {
      for (const match of followedMatches) if (!followed.has(ALL) && !followed.has(matchRoom(match.matchId))) snapshots.add(match)
      followed.add(room)
      added.push(room)
    }
  }
  if (added.length === 0) return
  updateTopics(connection, added)
  connection.send(JSON.stringify({ type: "subscribed", rooms: added }))
  backlog.add([...snapshots])
  sendBacklog(connection)
}

/** The matches in a room now, or why there is no such room. */
const matchesOf = (rooms: LiveRooms, room: string): ReadonlyArray<MatchRoom> | keyof typeof whyNot => {
  const parsed = parseRoom(room)
  if (parsed === undefined) return "UNKNOWN_ROOM"
  if (parsed === ALL) return rooms.live()
  const match = rooms.get(parsed)
  return match === undefined ? "MATCH_NOT_FOUND" : [match]
}

const whyNot = {
  UNKNOWN_ROOM: "rooms are match:<matchId> and all",
  MATCH_NOT_FOUND: "no live match has this id; GET /cs2/live lists them",
} as const

const unsubscribe = (connection: Connection, asked: ReadonlyArray<string>): void => {
  const { rooms: followed } = connection.data
  const removed = asked.filter((room) => followed.delete(room))
  for (const room of removed) connection.unsubscribe(room)
  if (removed.includes(ALL)) updateTopics(connection, [...followed])
  connection.send(JSON.stringify({ type: "unsubscribed", rooms: removed }))
}

/** Rooms are topics. While a client follows `all` its single matches are no topics of their own: each frame reaches it once. */
const updateTopics = (connection: Connection, added: ReadonlyArray<string>): void => {
  const { rooms: followed } = connection.data
  if (followed.has(ALL)) {
    for (const room of followed) if (room !== ALL) connection.unsubscribe(room)
    connection.subscribe(ALL)
  } else {
    for (const room of added) connection.subscribe(room)
  }
}

const sendBacklog = (connection: Connection): void =>
  connection.data.backlog.pump((room) => {
    const frame = room.newest
    return frame === undefined || connection.send(snapshotOfUpdate(frame.bytes)) === "sent"
  })

export class LiveSocket {
  static readonly layer = Layer.effectDiscard(serve)
}
