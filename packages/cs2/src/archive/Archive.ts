/** Layer with all services that read the CS2 archive. Add new services here. */
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
import { HeadToHeads } from "./stats/HeadToHeads.ts"
import { PlayerStats } from "./stats/PlayerStats.ts"
import { StatsRefresh } from "./stats/StatsRefresh.ts"
import { TeamAndMapStats } from "./stats/TeamAndMapStats.ts"
import { FormerSlugs } from "./teams/FormerSlugs.ts"
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
    FormerSlugs.layer,
    TeamArchive.layer,
    PlayerArchive.layer,
    GameArchive.layer,
    MatchArchive.layer,
    OddsBook.layer,
    SkinMarket.layer,
    PlayerStats.layer,
    HeadToHeads.layer,
    TeamAndMapStats.layer,
    StatsRefresh.layer,
  )
}
