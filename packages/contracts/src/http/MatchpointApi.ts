/** The public HTTP API. Each section of the API is added by one line below. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi } from "./account/AccountApi.ts"
import { RocketLeagueApi, RocketLeagueV1Api } from "./announced/RocketLeagueApi.ts"
import { ValorantApi, ValorantV1Api } from "./announced/ValorantApi.ts"
import { ApexLiveApi } from "./apex/ApexLiveApi.ts"
import { ApexSeriesApi } from "./apex/data/endpoints/SeriesApi.ts"
import { ApexStatsApi } from "./apex/data/endpoints/StatsApi.ts"
import { API_ROOT } from "./apiRoot.ts"
import { CodPlayerAnalyticsApi, CodTeamAnalyticsApi } from "./cod/analytics/CodAnalyticsApi.ts"
import { CodLiveApi } from "./cod/CodLiveApi.ts"
import { CodBoardsApi } from "./cod/data/endpoints/CodBoardsApi.ts"
import { CodLeagueApi } from "./cod/data/endpoints/CodLeagueApi.ts"
import { CodMatchesApi } from "./cod/data/endpoints/CodMatchesApi.ts"
import { EventsApi, TournamentsApi } from "./cs2/data/endpoints/EventsApi.ts"
import { GamesApi } from "./cs2/data/endpoints/GamesApi.ts"
import { MatchesApi } from "./cs2/data/endpoints/MatchesApi.ts"
import { OddsApi } from "./cs2/data/endpoints/OddsApi.ts"
import { PlayersApi } from "./cs2/data/endpoints/PlayersApi.ts"
import { RankingsApi } from "./cs2/data/endpoints/RankingsApi.ts"
import { ReferenceApi } from "./cs2/data/endpoints/ReferenceApi.ts"
import { SearchApi } from "./cs2/data/endpoints/SearchApi.ts"
import { SkinsApi } from "./cs2/data/endpoints/SkinsApi.ts"
import { StatsApi } from "./cs2/data/endpoints/StatsApi.ts"
import { TeamsApi } from "./cs2/data/endpoints/TeamsApi.ts"
import { TransfersApi } from "./cs2/data/endpoints/TransfersApi.ts"
import { LiveApi } from "./cs2/LiveApi.ts"
import { apiV2 } from "./cs2/LiveApiV2.ts"
import { streamApi } from "./cs2/StreamApi.ts"
import { AllLiveApi } from "./live/AllLiveApi.ts"
import { publicDocument } from "./openapi/publicDocument.ts"
import { QrApi } from "./qr/QrApi.ts"
import { CoverageApi as TennisCoverageApi } from "./tennis/data/endpoints/CoverageApi.ts"
import { TennisHeadToHeadApi } from "./tennis/data/endpoints/HeadToHeadApi.ts"
import { LeaderboardsApi as TennisLeaderboardsApi } from "./tennis/data/endpoints/LeaderboardsApi.ts"
import { TennisMatchesApi } from "./tennis/data/endpoints/MatchesApi.ts"
import { OddsApi as TennisOddsApi } from "./tennis/data/endpoints/OddsApi.ts"
import { TennisPlayersApi } from "./tennis/data/endpoints/PlayersApi.ts"
import { RankingsApi as TennisRankingsApi } from "./tennis/data/endpoints/RankingsApi.ts"
import { TournamentsApi as TennisTournamentsApi } from "./tennis/data/endpoints/TournamentsApi.ts"
import { TennisLiveApi } from "./tennis/TennisLiveApi.ts"
import { TranscriptsApi } from "./transcripts/TranscriptsApi.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

export { API_ROOT } from "./apiRoot.ts"

/**
 * The live section with all responses in format v2, for typed clients. The server serves both formats, v1 and v2, on
 * the same paths.
 */
export const MatchpointApiV2 = apiV2(API_ROOT)

/** The WebSocket and SSE channels, described as endpoints. */
export const StreamApi = streamApi(API_ROOT)

const Endpoints = HttpApi.make("matchpoint")
  .add(LiveApi)
  .add(MatchesApi)
  .add(GamesApi)
  .add(OddsApi)
  .add(SkinsApi)
  .add(EventsApi)
  .add(TournamentsApi)
  .add(TeamsApi)
  .add(PlayersApi)
  .add(ReferenceApi)
  .add(SearchApi)
  .add(RankingsApi)
  .add(TransfersApi)
  .add(StatsApi)
  .add(TennisRankingsApi)
  .add(TennisLeaderboardsApi)
  .add(TennisCoverageApi)
  .add(TennisOddsApi)
  .add(TennisLiveApi)
  .add(TennisPlayersApi)
  .add(TennisMatchesApi)
  .add(TennisHeadToHeadApi)
  .add(TennisTournamentsApi)
  .add(RocketLeagueApi)
  .add(ValorantApi)
  .add(ApexLiveApi)
  .add(ApexSeriesApi)
  .add(ApexStatsApi)
  .add(CodLeagueApi)
  .add(CodMatchesApi)
  .add(CodBoardsApi)
  .add(CodPlayerAnalyticsApi)
  .add(CodTeamAnalyticsApi)
  .add(CodLiveApi)
  .add(AllLiveApi)
  .add(QrApi)
  .add(WebhooksApi)
  .add(TranscriptsApi)
  .add(AccountApi)
  .prefix(API_ROOT)
  .add(RocketLeagueV1Api)
  .add(ValorantV1Api)

/**
 * Generates the complete OpenAPI document, which takes seconds. `OpenApi.fromApi(MatchpointApi)` returns the same, after
 * it has generated its own. `compactDocument.ts` makes the documents that are served.
 */
export const matchpointDocument = () => publicDocument({ endpoints: Endpoints, otherShape: MatchpointApiV2, streams: StreamApi })

export class MatchpointApi extends Endpoints.annotateMerge(OpenApi.annotations({ transform: () => ({ ...matchpointDocument() }) })) {}
