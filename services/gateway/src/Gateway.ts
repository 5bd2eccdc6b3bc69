/** The public edge: REST, OpenAPI and docs, WebSocket, SSE. Needs a server, the log and the store of keys. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { Authenticator } from "./Authenticator.ts"
import { AuthenticationLayer } from "./http/AuthenticationLayer.ts"
import { AccountHandlers } from "./http/accountHandlers.ts"
import { AssetRoutes } from "./http/assetRoutes.ts"
import { AsyncApiRoute } from "./http/asyncapiRoute.ts"
import { DefectsAsErrors, FallbackRoutes } from "./http/fallback.ts"
import { LiveHandlers } from "./http/liveHandlers.ts"
import { MeteringLayer } from "./http/MeteringLayer.ts"
import { RequestRulesLayer } from "./http/RequestRulesLayer.ts"
import { LiveHub } from "./LiveHub.ts"
import { LiveReplay } from "./replay/LiveReplay.ts"
import { Replays } from "./replay/Replays.ts"
import { RpcRoutes } from "./rpc/RpcRoutes.ts"
import { Admission } from "./stream/Admission.ts"
import { Backfill } from "./stream/Backfill.ts"
import { LiveSocket } from "./stream/LiveSocket.ts"
import { LiveStream } from "./stream/LiveStream.ts"

const AnyOrigin = HttpRouter.cors({
  allowedOrigins: ["*"],
  allowedMethods: ["GET", "HEAD", "OPTIONS"],
  // Clients of effect send the tracing headers with every request, clients of streams their cursor.
  allowedHeaders: [API_KEY_HEADER, "authorization", "accept", "if-none-match", "last-event-id", "traceparent", "tracestate", "b3"],
  exposedHeaders: ["etag"],
  maxAge: 86_400,
})

/** Everything on the HTTP router; `routes` of others can be merged beside it. */
export const GatewayRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(MatchpointApi, { openapiPath: "/openapi.json" }),
  HttpApiScalar.layer(MatchpointApi, { path: "/docs" }),
  AsyncApiRoute,
  AssetRoutes,
  RpcRoutes,
  FallbackRoutes,
  AnyOrigin,
  DefectsAsErrors,
).pipe(Layer.provide([LiveHandlers, AccountHandlers]), Layer.provide([AuthenticationLayer, MeteringLayer, RequestRulesLayer]))

/** The long-lived channels. */
export const GatewayStreams = Layer.mergeAll(LiveSocket.layer, LiveStream.layer, LiveReplay.layer).pipe(
  Layer.provide(Layer.mergeAll(Backfill.layer, Replays.layer)),
)

/** Requires the ledger of usage and effect's RateLimiter. */
export const GatewayServices = Layer.mergeAll(Admission.layer, LiveHub.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Authenticator.layer, RateLimits.layer, StreamMeter.layer)),
  Layer.provideMerge(Meter.layer),
)
