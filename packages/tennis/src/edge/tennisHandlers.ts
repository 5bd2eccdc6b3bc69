import { Layer } from "effect"
import { CoverageHandlers } from "./archive/coverageHandlers.ts"
import { TennisHeadToHeadHandlers } from "./archive/headToHeadHandlers.ts"
import { LeaderboardsHandlers } from "./archive/leaderboardsHandlers.ts"
import { TennisMatchesHandlers } from "./archive/matchesHandlers.ts"
import { OddsHandlers } from "./archive/oddsHandlers.ts"
import { TennisPlayersHandlers } from "./archive/playersHandlers.ts"
import { RankingsHandlers } from "./archive/rankingsHandlers.ts"
import { SummariesReadyLayer } from "./archive/SummariesReadyLayer.ts"
import { TournamentsHandlers } from "./archive/tournamentsHandlers.ts"
import { TennisLiveHandlers } from "./live/tennisLiveHandlers.ts"

export const TennisHandlers = Layer.mergeAll(
  CoverageHandlers,
  LeaderboardsHandlers,
  OddsHandlers,
  RankingsHandlers,
  TennisHeadToHeadHandlers,
  TennisLiveHandlers,
  TennisMatchesHandlers,
  TennisPlayersHandlers,
  TournamentsHandlers,
).pipe(Layer.provide(SummariesReadyLayer))
