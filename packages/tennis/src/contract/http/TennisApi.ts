import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { HttpApi } from "effect/http-api"
import { CoverageApi } from "./data/endpoints/CoverageApi.ts"
import { TennisHeadToHeadApi } from "./data/endpoints/HeadToHeadApi.ts"
import { LeaderboardsApi } from "./data/endpoints/LeaderboardsApi.ts"
import { TennisMatchesApi } from "./data/endpoints/MatchesApi.ts"
import { OddsApi } from "./data/endpoints/OddsApi.ts"
import { TennisPlayersApi } from "./data/endpoints/PlayersApi.ts"
import { RankingsApi } from "./data/endpoints/RankingsApi.ts"
import { TournamentsApi } from "./data/endpoints/TournamentsApi.ts"
import { TennisLiveApi } from "./TennisLiveApi.ts"

export const TennisApi = HttpApi.make("matchpoint")
  .add(RankingsApi)
  .add(LeaderboardsApi)
  .add(CoverageApi)
  .add(OddsApi)
  .add(TennisLiveApi)
  .add(TennisPlayersApi)
  .add(TennisMatchesApi)
  .add(TennisHeadToHeadApi)
  .add(TournamentsApi)
  .prefix(API_ROOT)
