/** Every repository of the CS2 archive, in one layer. A new one is one line here. */
import { Layer } from "effect"
import { Changelog } from "./Changelog.ts"
import { EventArchive } from "./EventArchive.ts"
import { Freshness } from "./Freshness.ts"
import { GameArchive } from "./GameArchive.ts"
import { Leagues } from "./Leagues.ts"
import { MatchArchive } from "./MatchArchive.ts"
import { OddsBook } from "./OddsBook.ts"
import { PlayerArchive } from "./PlayerArchive.ts"
import { Rankings } from "./Rankings.ts"
import { Rosters } from "./Rosters.ts"
import { Search } from "./Search.ts"
import { SkinMarket } from "./SkinMarket.ts"
import { PlayerStats } from "./stats/PlayerStats.ts"
import { Rivalries } from "./stats/Rivalries.ts"
import { SceneStats } from "./stats/SceneStats.ts"
import { StatsRefresh } from "./stats/StatsRefresh.ts"
import { TeamArchive } from "./TeamArchive.ts"
import { Transfers } from "./Transfers.ts"

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
