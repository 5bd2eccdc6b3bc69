/** Combines every service that reads the CS2 archive in one layer. Add new ones here. */
import { Layer } from "effect"
import { Changelog } from "./Changelog.ts"
import { EventArchive } from "./events/EventArchive.ts"
import { Leagues } from "./events/Leagues.ts"
import { GameArchive } from "./matches/GameArchive.ts"
import { MatchArchive } from "./matches/MatchArchive.ts"
import { OddsBook } from "./odds/OddsBook.ts"
import { PlayerArchive } from "./players/PlayerArchive.ts"
import { Rankings } from "./rankings/Rankings.ts"
import { Rosters } from "./rosters/Rosters.ts"
import { Transfers } from "./rosters/Transfers.ts"
import { Search } from "./search/Search.ts"
import { SkinMarket } from "./skins/SkinMarket.ts"
import { PlayerStats } from "./stats/PlayerStats.ts"
import { Rivalries } from "./stats/Rivalries.ts"
import { SceneStats } from "./stats/SceneStats.ts"
import { StatsRefresh } from "./stats/StatsRefresh.ts"
import { TeamArchive } from "./teams/TeamArchive.ts"
import { Freshness } from "./upkeep/Freshness.ts"

export class Archive {
  static readonly layer = Layer.mergeAll(
    Rankings.layer,
    Rosters.layer,
    Transfers.layer,
    Changelog.layer,
    Freshness.layer,
    Leagues.layer,
    Search.layer,
    EventArchive.layer,
    TeamArchive.layer,
    PlayerArchive.layer,
    GameArchive.layer,
    MatchArchive.layer,
    OddsBook.layer,
    SkinMarket.layer,
    PlayerStats.layer,
    Rivalries.layer,
    SceneStats.layer,
    StatsRefresh.layer,
  )
}
