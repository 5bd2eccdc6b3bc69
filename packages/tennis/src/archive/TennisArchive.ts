/** All services that read the tennis archive. Add new services here. */
import { Layer } from "effect"
import { TennisCoverage } from "./content/TennisCoverage.ts"
import { TennisHeadToHeads } from "./h2h/TennisHeadToHeads.ts"
import { Leaderboards } from "./leaderboards/Leaderboards.ts"
import { TennisMatchArchive } from "./matches/TennisMatchArchive.ts"
import { PlayerMerges } from "./merges/PlayerMerges.ts"
import { PlayerCareers } from "./players/PlayerCareers.ts"
import { PlayerDirectory } from "./players/PlayerDirectory.ts"
import { RankingMoves } from "./rankings/RankingMoves.ts"
import { TennisRankings } from "./rankings/TennisRankings.ts"
import { SummaryProgress } from "./summaries/SummaryProgress.ts"
import { TournamentArchive } from "./tournaments/TournamentArchive.ts"
import { TournamentMatches } from "./tournaments/TournamentMatches.ts"

export class TennisArchive {
  static readonly layer = Layer.mergeAll(
    Leaderboards.layer,
    PlayerCareers.layer,
    PlayerDirectory.layer,
    PlayerMerges.layer,
    RankingMoves.layer,
    SummaryProgress.layer,
    TennisCoverage.layer,
    TennisHeadToHeads.layer,
    TennisMatchArchive.layer,
    TennisRankings.layer,
    TournamentArchive.layer,
    TournamentMatches.layer,
  )
}
