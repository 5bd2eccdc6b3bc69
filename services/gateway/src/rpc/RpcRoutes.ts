/**
 * The RPC of the live engine on the HTTP router, over both transports. A WebSocket is let in with a key in its handshake, so that a
 * stranger holds no socket; over HTTP every request is checked by the calls themselves and answered with their own errors.
 */

import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { LiveRpcs, RPC_PATH, RPC_SOCKET_PATH } from "@matchpoint/contracts/rpc/LiveRpcs"
import { Effect, Fiber, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { Authenticator } from "../Authenticator.ts"
import { Admission } from "../stream/Admission.ts"
import { LiveRpcHandlers } from "./LiveRpcHandlers.ts"
import { MatchFollowers } from "./MatchFollowers.ts"
import { keyOf, RpcAccess } from "./RpcAccess.ts"
import { RpcConfig } from "./RpcConfig.ts"

/** One call's bug is that call's: others on the connection go on. */
const options = { disableFatalDefects: true, spanPrefix: "rpc" } as const

/** Messages on their way to a client over HTTP, each of up to `MAX_BYTES`. */
const HTTP_BUFFER = 4

const Routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const authenticator = yield* Authenticator
    const admission = yield* Admission
    const { maxRequestBytes } = yield* RpcConfig
    const http = yield* RpcServer.toHttpEffect(LiveRpcs, { ...options, streamBufferSize: HTTP_BUFFER })
    const socket = yield* RpcServer.toHttpEffectWebsocket(LiveRpcs, options)
    yield* router.add("POST", RPC_PATH, Effect.provideService(http, HttpIncomingMessage.MaxBodySize, BigInt(maxRequestBytes)))
    yield* router.add(
      "GET",
      RPC_SOCKET_PATH,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (request.headers["upgrade"]?.toLowerCase() !== "websocket") return upgradeRequired
        yield* admission.knock({ headers: request.headers, remoteAddress: Option.getOrUndefined(request.remoteAddress) })
        const checking = yield* Effect.forkChild(Effect.exit(authenticator.authenticate(keyOf(request.headers))), {
          startImmediately: true,
        })
        const known = checking.pollUnsafe()
        if (known !== undefined) return yield* Effect.flatMap(yield* known, (key) => admission.during(key)(socket))
        // Not yet known: upgraded all the same, for that must be done at once (see Exchange.upgrade), and cut off if the key is none.
        const counted = Effect.flatMap(Effect.flatten(Fiber.join(checking)), (key) => admission.during(key)(Effect.never))
        return yield* Effect.raceFirst(socket, counted)
      }).pipe(Effect.catch((error) => Effect.succeed(HttpServerResponse.jsonUnsafe(error, { status: errorStatus[error.error.code] })))),
    )
  }),
)

const upgradeRequired = HttpServerResponse.jsonUnsafe(
  body("UPGRADE_REQUIRED", `this is a WebSocket; POST ${RPC_PATH} takes calls over HTTP`),
  {
    status: errorStatus.UPGRADE_REQUIRED,
    headers: { upgrade: "websocket" },
  },
)

/** Requires LiveHub, Authenticator, Admission and EventLog; RpcConfig has defaults. */
export const RpcRoutes = Routes.pipe(
  Layer.provide([LiveRpcHandlers, RpcAccess]),
  Layer.provide(MatchFollowers.layer),
  Layer.provide(RpcSerialization.layerNdjsonWith({ maxBufferSize: 1024 * 1024 })),
)
