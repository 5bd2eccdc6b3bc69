import { Layer } from "effect"
import { EventsHandlers, TournamentsHandlers } from "./archive/eventsHandlers.ts"
import { GamesHandlers } from "./archive/gamesHandlers.ts"
import { MatchesHandlers } from "./archive/matchesHandlers.ts"
import { OddsHandlers } from "./archive/oddsHandlers.ts"
import { PlayersHandlers } from "./archive/playersHandlers.ts"
import { RankingsHandlers } from "./archive/rankingsHandlers.ts"
import { ReferenceHandlers } from "./archive/referenceHandlers.ts"
import { SearchHandlers } from "./archive/searchHandlers.ts"
import { SkinsHandlers } from "./archive/skinsHandlers.ts"
import { StatsHandlers } from "./archive/statsHandlers.ts"
import { TeamsHandlers } from "./archive/teamsHandlers.ts"
import { TransfersHandlers } from "./archive/transfersHandlers.ts"
import { LiveHandlers } from "./liveHandlers.ts"

export const Cs2Handlers = Layer.mergeAll(
  EventsHandlers,
  GamesHandlers,
  LiveHandlers,
  MatchesHandlers,
  OddsHandlers,
  PlayersHandlers,
  RankingsHandlers,
  ReferenceHandlers,
  SearchHandlers,
  SkinsHandlers,
  StatsHandlers,
  TeamsHandlers,
  TournamentsHandlers,
  TransfersHandlers,
)
