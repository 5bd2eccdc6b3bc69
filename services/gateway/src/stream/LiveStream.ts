/** `/cs2/live/stream`: server-sent events for one match or all of them. */

import { STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { ALL, matchRoom, PING_INTERVAL_SECONDS, parseRoom, type StreamError, sseEvents } from "@matchpoint/contracts/stream/messages"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import type { ApiKey } from "@matchpoint/store/ApiKeys"
import type { SseConnection } from "@matchpoint/uws/SseConnection"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { accept } from "@matchpoint/uws/Verdict"
import { DateTime, Effect, Layer } from "effect"
import { Authenticator } from "../Authenticator.ts"
import { GatewayConfig } from "../GatewayConfig.ts"
import { LiveHub } from "../LiveHub.ts"
import { Backlog } from "./Backlog.ts"
import { readyFor, refusal, refuse, secretOf } from "./handshake.ts"
import { sseEvent, updateEvent } from "./sseEvents.ts"

interface Follower {
  readonly key: ApiKey
  /** Undefined: all live matches. */
  readonly room: MatchRoom | undefined
  readonly backlog: Backlog
}

/** Every connection follows it; the ping goes out once for all. */
const EVERYBODY = "sse"

const RECONNECT_AFTER_MS = 2_000

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const authenticator = yield* Authenticator
  const { rooms } = yield* LiveHub
  const { maxBackpressureBytes } = yield* GatewayConfig

  yield* server.sse<Follower, never>(API_ROOT + STREAM_PATH, {
    limits: { maxBackpressureBytes },
    connect: (request) =>
      authenticator.authenticate(secretOf(request, { inQuery: false })).pipe(
        Effect.map((key) => {
          const headers = { "access-control-allow-origin": "*" }
          const matchId = request.query.get("matchId")
          if (matchId === null)
            return accept<Follower>({ key, room: undefined, backlog: new Backlog() }, { headers, retryMs: RECONNECT_AFTER_MS })
          const parsed = parseRoom(`match:${matchId}`)
          const room = parsed === undefined || parsed === ALL ? undefined : rooms.get(parsed)
          return room === undefined
            ? refuse("MATCH_NOT_FOUND", `no live match has the id ${matchId.slice(0, 64)}; GET ${API_ROOT}/cs2/live lists them`)
            : accept<Follower>({ key, room, backlog: new Backlog() }, { headers, retryMs: RECONNECT_AFTER_MS })
        }),
        Effect.catch((error) => Effect.succeed(refusal(error))),
      ),
    open: (connection) => welcome(connection, rooms.live()),
    drain: sendBacklog,
  })

  const ping = Effect.gen(function* () {
    const at = DateTime.formatIso(yield* DateTime.now)
    server.publishSse(EVERYBODY, sseEvent(sseEvents.ping, { type: "ping", at }))
  })
  yield* ping.pipe(Effect.delay(`${PING_INTERVAL_SECONDS} seconds`), Effect.forever, Effect.forkScoped)

  const goodbye: StreamError = { type: "error", code: "SHUTTING_DOWN", message: "the server is shutting down; connect again" }
  // Finalizers run last one first: this goes out before the route ends its connections.
  yield* Effect.addFinalizer(() => Effect.sync(() => server.publishSse(EVERYBODY, sseEvent(sseEvents.error, goodbye))))
})

/** Within one turn of the loop: no frame can come between the newest one and the topic. */
const welcome = (connection: SseConnection<Follower>, live: ReadonlyArray<MatchRoom>): void => {
  const { key, room } = connection.data
  connection.write(sseEvent(sseEvents.ready, readyFor(key)))
  connection.subscribe(EVERYBODY)
  connection.subscribe(room === undefined ? ALL : matchRoom(room.matchId))
  connection.data.backlog.add(room === undefined ? live : [room])
  sendBacklog(connection)
}

const sendBacklog = (connection: SseConnection<Follower>): void =>
  connection.data.backlog.pump((room) => room.newest === undefined || connection.write(updateEvent(room.matchId, room.newest)))

export class LiveStream {
  static readonly layer = Layer.effectDiscard(serve)
}
