/**
 * Composes the public API server: REST endpoints, OpenAPI and docs pages, WebSocket and SSE streams. Requires an HTTP
 * server, the event log and the store of API keys.
 */
import { apexLive } from "@matchpoint/apex/contract/apexLive"
import { apexChannels } from "@matchpoint/apex/contract/asyncapi/apexChannels"
import { apexEventNames } from "@matchpoint/apex/contract/webhookEvents"
import { codChannels } from "@matchpoint/cod/contract/asyncapi/codChannels"
import { codLive } from "@matchpoint/cod/contract/codLive"
import { codEventNames } from "@matchpoint/cod/contract/webhookEvents"
import { asyncApi } from "@matchpoint/cs2/contract/asyncapi/asyncApi"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { cs2EventNames } from "@matchpoint/cs2/contract/webhookEvents"
import { contractsOf, type LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { WebhooksAliasApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import { tennisChannels } from "@matchpoint/tennis/contract/asyncapi/tennisChannels"
import { tennisLive } from "@matchpoint/tennis/contract/tennisLive"
import { tennisEventNames } from "@matchpoint/tennis/contract/webhookEvents"
import { transcriptEventNames } from "@matchpoint/contracts/webhook/transcriptEvents"
import { ProductPaths } from "@matchpoint/games/api/productPaths"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { QrThreads } from "@matchpoint/qr/QrThreads"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AnnouncedHandlers } from "./announced/announcedHandlers.ts"
import { ApexHandlers } from "@matchpoint/apex/edge/apexHandlers"
import { CodHandlers } from "@matchpoint/cod/edge/codHandlers"
import { EventsHandlers, TournamentsHandlers } from "@matchpoint/cs2/edge/archive/eventsHandlers"
import { GamesHandlers } from "@matchpoint/cs2/edge/archive/gamesHandlers"
import { MatchesHandlers } from "@matchpoint/cs2/edge/archive/matchesHandlers"
import { OddsHandlers } from "@matchpoint/cs2/edge/archive/oddsHandlers"
import { PlayersHandlers } from "@matchpoint/cs2/edge/archive/playersHandlers"
import { RankingsHandlers } from "@matchpoint/cs2/edge/archive/rankingsHandlers"
import { ReferenceHandlers } from "@matchpoint/cs2/edge/archive/referenceHandlers"
import { SearchHandlers } from "@matchpoint/cs2/edge/archive/searchHandlers"
import { SkinsHandlers } from "@matchpoint/cs2/edge/archive/skinsHandlers"
import { StatsHandlers } from "@matchpoint/cs2/edge/archive/statsHandlers"
import { TeamsHandlers } from "@matchpoint/cs2/edge/archive/teamsHandlers"
import { TransfersHandlers } from "@matchpoint/cs2/edge/archive/transfersHandlers"
import { AssetRoutes } from "@matchpoint/cs2/edge/assetRoutes"
import { LiveHandlers } from "@matchpoint/cs2/edge/liveHandlers"
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
import { SummariesReadyLayer } from "@matchpoint/tennis/edge/archive/SummariesReadyLayer"
import { TennisHandlers } from "@matchpoint/tennis/edge/tennisHandlers"
import { TranscriptsHandlers } from "./transcripts/transcriptsHandlers.ts"
import { WebhookNames } from "./webhooks/WebhookNames.ts"
import { WebhooksHandlers } from "./webhooks/webhooksHandlers.ts"

/** Layer with all public HTTP routes. Other routes can be added to the same router. */
export const GatewayRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(MatchpointApi),
  HttpApiBuilder.layer(WebhooksAliasApi),
  DocsRoute,
  asyncApiRoute((place) => asyncApi(place, [apexChannels, codChannels, tennisChannels])),
  AssetRoutes,
  RpcRoutes,
  UpgradeRequiredRoutes,
  FallbackRoutes,
  ResponseRules,
).pipe(
  Layer.provide(ProductPaths),
  Layer.provide([
    LiveHandlers,
    AllLiveHandlers,
    AccountHandlers,
    CodHandlers,
    RankingsHandlers,
    TransfersHandlers,
    GamesHandlers,
    MatchesHandlers,
    ReferenceHandlers,
    SearchHandlers,
    EventsHandlers,
    TournamentsHandlers,
    TeamsHandlers,
    PlayersHandlers,
    OddsHandlers,
    SkinsHandlers,
    StatsHandlers,
    ApexHandlers,
    TennisHandlers,
    AnnouncedHandlers,
    QrHandlers.pipe(Layer.provide(QrThreads.layer())),
    TranscriptsHandlers,
    WebhooksHandlers.pipe(
      Layer.provide(WebhookNames.layer(apexEventNames, codEventNames, cs2EventNames, tennisEventNames, transcriptEventNames)),
    ),
  ]),
  Layer.provide([
    AuthenticationLayer,
    BodyRulesLayer,
    ConditionalGetLayer,
    MeteringLayer,
    QrRulesLayer,
    QueryRulesLayer,
    RequestRulesLayer,
    SummariesReadyLayer,
  ]),
)

/** Layer that serves the long-lived connections: WebSocket, SSE and replay. */
export const GatewayStreams = Layer.mergeAll(LiveSocket.layer, LiveStream.layer, LiveReplay.layer).pipe(
  Layer.provide(Layer.mergeAll(Backfill.layer, Replays.layer, UnsentBytes.layer)),
)

/** Games that customers can follow live. To serve another game, add its API contract here. */
export const servedGames: ReadonlyArray<LiveContract> = [apexLive, codLive, cs2Live, tennisLive]

export const servedGamesLayer = Layer.succeed(LiveGames, contractsOf(servedGames))

/**
 * Layer with the services that the routes and channels use. Requires the usage ledger of the metering package and
 * effect's `RateLimiter`.
 */
export const gatewayServices = (games: ReadonlyArray<LiveContract>) =>
  Layer.mergeAll(Admission.layer, LiveHubLayer, KeyWatch.layer).pipe(
    Layer.provideMerge(Layer.succeed(LiveGames, contractsOf(games))),
    Layer.provideMerge(OpenStreams.layer),
    Layer.provideMerge(StreamLimits.layer),
    Layer.provideMerge(Layer.mergeAll(Authenticator.layer, RateLimits.layer, StreamMeter.layer)),
    Layer.provideMerge(Meter.layer),
    Layer.provideMerge(SecretNames),
  )

export const GatewayServices = gatewayServices(servedGames)
