import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { HttpApi } from "effect/http-api"
import { CodPlayerAnalyticsApi, CodTeamAnalyticsApi } from "./analytics/CodAnalyticsApi.ts"
import { CodLiveApi } from "./CodLiveApi.ts"
import { CodBoardsApi } from "./data/endpoints/CodBoardsApi.ts"
import { CodLeagueApi } from "./data/endpoints/CodLeagueApi.ts"
import { CodMatchesApi } from "./data/endpoints/CodMatchesApi.ts"

export const CodApi = HttpApi.make("matchpoint")
  .add(CodLeagueApi)
  .add(CodMatchesApi)
  .add(CodBoardsApi)
  .add(CodPlayerAnalyticsApi)
  .add(CodTeamAnalyticsApi)
  .add(CodLiveApi)
  .prefix(API_ROOT)
