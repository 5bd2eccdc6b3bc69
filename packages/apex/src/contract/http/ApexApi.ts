import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { HttpApi } from "effect/http-api"
import { ApexLiveApi } from "./ApexLiveApi.ts"
import { ApexSeriesApi } from "./data/endpoints/SeriesApi.ts"
import { ApexStatsApi } from "./data/endpoints/StatsApi.ts"

export const ApexApi = HttpApi.make("matchpoint").add(ApexLiveApi).add(ApexSeriesApi).add(ApexStatsApi).prefix(API_ROOT)
