/** `/<game>/live/{matchId}/replay`: a stored match as server-sent events. `replay.ts` decides what is sent. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { body, ServiceUnavailable, TooManyReplays, ValidationError } from "@matchpoint/contracts/http/errors"
import { unknownParameter } from "@matchpoint/contracts/http/QueryRules"
import { parseRoom } from "@matchpoint/contracts/stream/rooms"
import { replayPathOf } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer, Result } from "effect"
import { gamesOf, LiveGames } from "../live/LiveGames.ts"
import { Admission } from "../stream/Admission.ts"
import { replayChannel } from "../stream/channels.ts"
import { acceptStream } from "../stream/handshake.ts"
import type { ClientOptions } from "../stream/LiveClient.ts"
import { type Admitted, liveEndpoint } from "../stream/LiveEndpoint.ts"
import type { Ticket } from "../stream/OpenStreams.ts"
import { StreamOutlet } from "../stream/StreamOutlet.ts"
import { notFound, Replays } from "./Replays.ts"
import { parseReplayQuery, type ReplayQuery, replayParameters } from "./replayQuery.ts"

const RECONNECT_AFTER_MS = 1_000

interface Requested extends ClientOptions, ReplayQuery {
  readonly matchId: MatchId
}

type Stream = Admitted<StreamOutlet, Requested>

const serve = Effect.gen(function* () {
  const server = yield* UwsServer
  const admission = yield* Admission
  const replays = yield* Replays
  const hub = yield* LiveHub
  const settings = yield* GatewayConfig
  const endpoint = yield* liveEndpoint<StreamOutlet>({ drain: (client) => client.requestReconnect("draining") })

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
    const requested: Requested = { ...replayQuery.success, pace: "immediate", policy: "catchup", game, matchId }
    return (ticket: Ticket) => acceptStream<Stream>({ ticket, requested, client: undefined }, RECONNECT_AFTER_MS)
  })

  const listenFor = (game: GameName) =>
    server.sse<Stream, never>(API_ROOT + replayPathOf(game), {
      limits: { maxBackpressureBytes: settings.maxBackpressureBytes },
      connect: (request) =>
        admission.handshake<Stream>(request, replayChannel(game), (key) =>
          Effect.catchTag(read(game, request, key), "LogError", (error) =>
            Effect.andThen(
              Effect.logError("a replay could not start because the log does not answer", error),
              Effect.fail(ServiceUnavailable.because("the log does not answer; try again later")),
            ),
          ),
        ),
      open: (connection) =>
        endpoint.open(
          connection.data,
          new StreamOutlet(connection, settings.maxBackpressureBytes),
          ({ replays: own }, { matchId, shape, options, resume }) => own.start(matchId, shape, options, resume),
        ),
      ...endpoint.callbacks,
    })
  yield* endpoint.listen(gamesOf(yield* LiveGames), listenFor)
})

export class LiveReplay {
  static readonly layer = Layer.effectDiscard(serve)
}
