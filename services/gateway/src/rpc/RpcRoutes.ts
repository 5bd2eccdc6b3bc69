/**
 * The RPC of the live engine on the HTTP router, over both transports. A WebSocket is let in with a key in its handshake, so that a
 * stranger holds no socket; over HTTP every request is checked by the calls themselves and answered with their own errors.
 */

import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { body, errorStatus, UpgradeRequired } from "@matchpoint/contracts/http/errors"
import type { ErrorEnvelope } from "@matchpoint/contracts/http/problem"
import { LiveRpcs, RPC_PATH, RPC_SOCKET_PATH } from "@matchpoint/contracts/rpc/LiveRpcs"
import type { Customer } from "@matchpoint/domain/accounts"
import { Effect, Fiber, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { Admission } from "../stream/Admission.ts"
import { rpcSocket } from "../stream/channels.ts"
import { LiveRpcHandlers } from "./LiveRpcHandlers.ts"
import { MatchFollowers } from "./MatchFollowers.ts"
import { keyOf, RpcAccess } from "./RpcAccess.ts"
import { RpcConfig } from "./RpcConfig.ts"
import { IsOwnConnection, RpcMetering } from "./RpcMetering.ts"

/** One call's bug is that call's: others on the connection go on. */
const options = { disableFatalDefects: true, spanPrefix: "rpc" } as const

/** Messages on their way to a client over HTTP, each of up to `MAX_BYTES`. */
const HTTP_BUFFER = 4

const Routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const admission = yield* Admission
    const { maxRequestBytes } = yield* RpcConfig
    const http = yield* RpcServer.toHttpEffect(LiveRpcs, { ...options, streamBufferSize: HTTP_BUFFER })
    const socket = yield* RpcServer.toHttpEffectWebsocket(LiveRpcs, options)
    yield* router.add(
      "POST",
      RPC_PATH,
      http.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, BigInt(maxRequestBytes)),
        Effect.provideService(IsOwnConnection, true),
      ),
    )

    /** What is answered once the socket has been upgraded is heard by nobody. */
    const held = (key: Customer) =>
      Effect.map(admission.hold(key, rpcSocket), ({ ended }) => ({
        untilEnded: Effect.orElseSucceed(ended, () => HttpServerResponse.empty()),
      }))

    const connected = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const from = { headers: request.headers, remoteAddress: Option.getOrUndefined(request.remoteAddress) }
      yield* admission.knock(from)
      const checking = yield* Effect.forkChild(Effect.exit(admission.identify(from, keyOf(request.headers))), { startImmediately: true })
      const known = checking.pollUnsafe()
      if (known !== undefined) return yield* Effect.raceFirst(socket, (yield* held(yield* yield* known)).untilEnded)
      // Not yet known: upgraded all the same, for that must be done at once (see Exchange.upgrade), and cut off if it may not be.
      const counted = Effect.flatMap(Effect.flatten(Fiber.join(checking)), held)
      return yield* Effect.raceFirst(
        socket,
        Effect.flatMap(counted, ({ untilEnded }) => untilEnded),
      )
    })

    yield* router.add(
      "GET",
      RPC_SOCKET_PATH,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (request.headers["upgrade"]?.toLowerCase() !== "websocket") return answerOf(upgradeRequired)
        return yield* Effect.scoped(connected(request)).pipe(Effect.catch((error) => Effect.succeed(answerOf(error))))
      }),
    )
  }),
)

const upgradeRequired = UpgradeRequired.because(`this is a WebSocket; POST ${RPC_PATH} takes calls over HTTP`)

const answerOf = (refused: ErrorEnvelope): HttpServerResponse.HttpServerResponse => {
  const { code, details, message } = refused.error
  return HttpServerResponse.jsonUnsafe(body(code, message, details), {
    status: errorStatus[code],
    headers: code === "UPGRADE_REQUIRED" ? { upgrade: "websocket" } : {},
  })
}

/** Requires LiveHub, Authenticator, Admission, what meters, and EventLog; RpcConfig has defaults. */
export const RpcRoutes = Routes.pipe(
  Layer.provide([LiveRpcHandlers.pipe(Layer.provide(FeedWriter.layer)), RpcAccess]),
  Layer.provide([MatchFollowers.layer, RpcMetering.layer]),
  Layer.provide(RpcSerialization.layerNdjsonWith({ maxBufferSize: 1024 * 1024 })),
)
