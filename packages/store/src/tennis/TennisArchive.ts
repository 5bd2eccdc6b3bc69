/** Layer with all services that read the tennis archive. Add new services here. */
import { Layer } from "effect"
import { TennisCoverage } from "./content/TennisCoverage.ts"
import { Leaderboards } from "./leaderboards/Leaderboards.ts"
import { RankingMoves } from "./rankings/RankingMoves.ts"
import { TennisRankings } from "./rankings/TennisRankings.ts"

export class TennisArchive {
  static readonly layer = Layer.mergeAll(Leaderboards.layer, RankingMoves.layer, TennisCoverage.layer, TennisRankings.layer)
}
