import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { HttpApi } from "effect/http-api"
import { EventsApi, TournamentsApi } from "./data/endpoints/EventsApi.ts"
import { GamesApi } from "./data/endpoints/GamesApi.ts"
import { MatchesApi } from "./data/endpoints/MatchesApi.ts"
import { OddsApi } from "./data/endpoints/OddsApi.ts"
import { PlayersApi } from "./data/endpoints/PlayersApi.ts"
import { RankingsApi } from "./data/endpoints/RankingsApi.ts"
import { ReferenceApi } from "./data/endpoints/ReferenceApi.ts"
import { SearchApi } from "./data/endpoints/SearchApi.ts"
import { SkinsApi } from "./data/endpoints/SkinsApi.ts"
import { StatsApi } from "./data/endpoints/StatsApi.ts"
import { TeamsApi } from "./data/endpoints/TeamsApi.ts"
import { TransfersApi } from "./data/endpoints/TransfersApi.ts"
import { LiveApi } from "./LiveApi.ts"

export const Cs2Api = HttpApi.make("matchpoint")
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
  .prefix(API_ROOT)
