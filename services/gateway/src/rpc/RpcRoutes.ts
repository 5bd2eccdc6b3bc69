/**
 * The live RPC over HTTP and WebSocket. Both check the API key first: in the request headers or in the handshake. Plan
 * and limits are checked per call, and violations are RPC errors.
 */
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { body, errorStatus, UpgradeRequired, ValidationError } from "@matchpoint/contracts/http/errors"
import type { ErrorEnvelope } from "@matchpoint/contracts/http/problem"
import { LiveRpcs, RPC_PATH, RPC_SOCKET_PATH } from "@matchpoint/contracts/rpc/LiveRpcs"
import type { Customer } from "@matchpoint/domain/accounts"
import { unreadableBody } from "@matchpoint/process/http/unreadableBody"
import { BeforeMessage } from "@matchpoint/uws/BeforeMessage"
import { countBodyFor } from "@matchpoint/uws/http/UwsServerRequest"
import { Effect, Layer, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcServer } from "effect/rpc"
import { Admission, type ClientAddress } from "../stream/Admission.ts"
import { rpcSocket } from "../stream/channels.ts"
import { CallsOfBody, type FirstRefusals } from "./CallsOfBody.ts"
import { CallTurns } from "./CallTurns.ts"
import { LiveRpcHandlers } from "./LiveRpcHandlers.ts"
import { MatchFollowers } from "./MatchFollowers.ts"
import { keyOf, RpcAccess } from "./RpcAccess.ts"
import { RpcConfig } from "./RpcConfig.ts"
import { IsOwnConnection, RpcMetering } from "./RpcMetering.ts"
import { faultOf, rpcSerialization } from "./rpcLimits.ts"

/** An unexpected error in one call must not affect other calls on the same connection. */
const options = { disableFatalDefects: true, spanPrefix: "rpc" } as const

/** Unacknowledged messages per HTTP client. Each has up to `MAX_BYTES`. */
const HTTP_BUFFER = 4

const Routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const admission = yield* Admission
    const turnOf = yield* CallTurns
    const { maxRequestBytes } = yield* RpcConfig
    const http = yield* RpcServer.toHttpEffect(LiveRpcs, { ...options, streamBufferSize: HTTP_BUFFER })
    const socket = yield* RpcServer.toHttpEffectWebsocket(LiveRpcs, options)
    const called = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { keyId } = yield* admission.identify(clientAddressOf(request), keyOf(request.headers))
      countBodyFor(request, keyId)
      const text = yield* Effect.mapError(request.text, (error) => unreadableBody(error, maxRequestBytes))
      const fault = faultOf(text)
      if (fault !== undefined) return yield* ValidationError.because(fault)
      return yield* http
    }).pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, BigInt(maxRequestBytes)),
      Effect.provideService(IsOwnConnection, true),
      Effect.provideServiceEffect(
        CallsOfBody,
        Effect.sync((): FirstRefusals => ({})),
      ),
      Effect.catch((error) => Effect.succeed(answerOf(error))),
    )
    yield* router.add("POST", RPC_PATH, called)

    /**
     * Counts towards the limits of the API key. `untilEnded` waits until the stream must end, and returns a response
     * that is not sent, because the connection is a WebSocket.
     */
    const held = (key: Customer) =>
      Effect.map(admission.hold(key, rpcSocket), ({ ended }) => ({
        untilEnded: Effect.orElseSucceed(ended, () => HttpServerResponse.empty()),
      }))

    const connected = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const from = clientAddressOf(request)
      yield* admission.countHandshake(from)
      const key = yield* admission.identify(from, keyOf(request.headers))
      const { untilEnded } = yield* held(key)
      // The next message is read only after all calls of the previous one have started. Until then, the socket buffers
      // it as bytes, up to a limit.
      const paced = Effect.provideService(socket, BeforeMessage, turnOf(request))
      return yield* Effect.raceFirst(paced, untilEnded)
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

const clientAddressOf = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): ClientAddress => ({
  headers,
  remoteAddress: Option.getOrUndefined(remoteAddress),
})

const upgradeRequired = UpgradeRequired.because(`this path accepts only WebSocket connections; send calls over HTTP with POST ${RPC_PATH}`)

const answerOf = (refused: ErrorEnvelope): HttpServerResponse.HttpServerResponse => {
  const { code, details, message } = refused.error
  return HttpServerResponse.jsonUnsafe(body(code, message, details), {
    status: errorStatus[code],
    headers: code === "UPGRADE_REQUIRED" ? { upgrade: "websocket" } : {},
  })
}

/** Requires LiveHub, Authenticator, Admission, the metering services and EventLog. RpcConfig has defaults. */
export const RpcRoutes = Routes.pipe(
  Layer.provide([LiveRpcHandlers.pipe(Layer.provide(FeedWriter.layer)), RpcAccess]),
  Layer.provide([MatchFollowers.layer, RpcMetering.layer, CallTurns.layer]),
  Layer.provide(rpcSerialization),
)
