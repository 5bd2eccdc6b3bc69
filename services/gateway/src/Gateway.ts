/**
 * The public API server: REST endpoints, OpenAPI and docs pages, WebSocket and SSE streams. Requires an HTTP server,
 * the event log and the store of API keys.
 */
import { contractsOf, type LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { WebhooksAliasApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import { transcriptEventNames } from "@matchpoint/contracts/webhook/transcriptEvents"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { ProductPaths } from "@matchpoint/games/api/productPaths"
import { channelsDocument, GameHandlers, GameRoutes, gameEventNames, liveContracts } from "@matchpoint/games/edge"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { QrThreads } from "@matchpoint/qr/QrThreads"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AnnouncedHandlers } from "./announced/announcedHandlers.ts"
import { BodyRulesLayer } from "./http/BodyRulesLayer.ts"
import { asyncApiRoute } from "./http/pages/asyncapiRoute.ts"
import { DocsRoute } from "./http/pages/docsRoute.ts"
import { FallbackRoutes, UpgradeRequiredRoutes } from "./http/pages/fallback.ts"
import { QueryRulesLayer } from "./http/QueryRulesLayer.ts"
import { RequestRulesLayer } from "./http/RequestRulesLayer.ts"
import { ConditionalGetLayer } from "./http/responses/ConditionalGetLayer.ts"
import { ResponseRules } from "./http/responses/ResponseRules.ts"
import { SecretNames } from "./http/secretNames.ts"
import { AuthenticationLayer } from "./keys/AuthenticationLayer.ts"
import { Authenticator } from "./keys/Authenticator.ts"
import { AccountHandlers } from "./keys/accountHandlers.ts"
import { MeteringLayer } from "./keys/MeteringLayer.ts"
import { AllLiveHandlers } from "./live/allLiveHandlers.ts"
import { LiveGames } from "./live/LiveGames.ts"
import { LiveHubLayer } from "./live/LiveHubLayer.ts"
import { QrRulesLayer } from "./qr/QrRulesLayer.ts"
import { QrHandlers } from "./qr/qrHandlers.ts"
import { LiveReplay } from "./replay/LiveReplay.ts"
import { Replays } from "./replay/Replays.ts"
import { RpcRoutes } from "./rpc/RpcRoutes.ts"
import { Admission } from "./stream/Admission.ts"
import { Backfill } from "./stream/Backfill.ts"
import { KeyWatch } from "./stream/KeyWatch.ts"
import { LiveSocket } from "./stream/LiveSocket.ts"
import { LiveStream } from "./stream/LiveStream.ts"
import { OpenStreams } from "./stream/OpenStreams.ts"
import { UnsentBytes } from "./stream/UnsentBytes.ts"
import { TranscriptsHandlers } from "./transcripts/transcriptsHandlers.ts"
import { WebhookNames } from "./webhooks/WebhookNames.ts"
import { WebhooksHandlers } from "./webhooks/webhooksHandlers.ts"

/** All public HTTP routes. Others can be added to the same router. */
export const GatewayRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(MatchpointApi),
  HttpApiBuilder.layer(WebhooksAliasApi),
  DocsRoute,
  asyncApiRoute(channelsDocument),
  GameRoutes,
  RpcRoutes,
  UpgradeRequiredRoutes,
  FallbackRoutes,
  ResponseRules,
).pipe(
  Layer.provide(ProductPaths),
  Layer.provide([
    GameHandlers,
    AllLiveHandlers,
    AccountHandlers,
    AnnouncedHandlers,
    QrHandlers.pipe(Layer.provide(QrThreads.layer())),
    TranscriptsHandlers,
    WebhooksHandlers.pipe(Layer.provide(WebhookNames.layer(...gameEventNames, transcriptEventNames))),
  ]),
  Layer.provide([
    AuthenticationLayer,
    BodyRulesLayer,
    ConditionalGetLayer,
    MeteringLayer,
    QrRulesLayer,
    QueryRulesLayer,
    RequestRulesLayer,
  ]),
)

/** The long-lived connections: WebSocket, SSE and replay. */
export const GatewayStreams = Layer.mergeAll(LiveSocket.layer, LiveStream.layer, LiveReplay.layer).pipe(
  Layer.provide(Layer.mergeAll(Backfill.layer, Replays.layer, UnsentBytes.layer)),
)

export const servedGamesLayer = Layer.succeed(LiveGames, contractsOf(liveContracts))

/** Services of the routes and channels. Requires the usage ledger and effect's `RateLimiter`. */
export const gatewayServices = (games: ReadonlyArray<LiveContract>) =>
  Layer.mergeAll(Admission.layer, LiveHubLayer, KeyWatch.layer).pipe(
    Layer.provideMerge(Layer.succeed(LiveGames, contractsOf(games))),
    Layer.provideMerge(OpenStreams.layer),
    Layer.provideMerge(StreamLimits.layer),
    Layer.provideMerge(Layer.mergeAll(Authenticator.layer, RateLimits.layer, StreamMeter.layer)),
    Layer.provideMerge(Meter.layer),
    Layer.provideMerge(SecretNames),
  )

export const GatewayServices = gatewayServices(liveContracts)
