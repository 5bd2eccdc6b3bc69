import { Layer } from "effect"
import { CodPlayerAnalyticsHandlers } from "./analytics/playerAnalyticsHandlers.ts"
import { CodTeamAnalyticsHandlers } from "./analytics/teamAnalyticsHandlers.ts"
import { CodBoardsHandlers } from "./archive/boardsHandlers.ts"
import { CodLeagueHandlers } from "./archive/leagueHandlers.ts"
import { CodMatchesHandlers } from "./archive/matchesHandlers.ts"
import { CodLiveHandlers } from "./live/codLiveHandlers.ts"

export const CodHandlers = Layer.mergeAll(
  CodBoardsHandlers,
  CodLeagueHandlers,
  CodLiveHandlers,
  CodMatchesHandlers,
  CodPlayerAnalyticsHandlers,
  CodTeamAnalyticsHandlers,
)
