/** All services that read the archive of the Call of Duty League. Add new services here. */
import { Layer } from "effect"
import { PlayerAnalytics } from "./analytics/PlayerAnalytics.ts"
import { TeamAnalytics } from "./analytics/TeamAnalytics.ts"
import { CodBoards } from "./boards/CodBoards.ts"
import { CodLeague } from "./league/CodLeague.ts"
import { CodMatchArchive } from "./matches/CodMatchArchive.ts"
import { CodSearch } from "./search/CodSearch.ts"

export class CodArchive {
  static readonly layer = Layer.mergeAll(
    CodBoards.layer,
    CodLeague.layer,
    CodMatchArchive.layer,
    CodSearch.layer,
    PlayerAnalytics.layer,
    TeamAnalytics.layer,
  )
}
