/** Layer with all services that read the tennis archive. Add new services here. */
import { Layer } from "effect"
import { TennisHeadToHeads } from "./h2h/TennisHeadToHeads.ts"
import { TennisMatchArchive } from "./matches/TennisMatchArchive.ts"
import { PlayerCareers } from "./players/PlayerCareers.ts"
import { PlayerDirectory } from "./players/PlayerDirectory.ts"

export class TennisArchive {
  static readonly layer = Layer.mergeAll(PlayerCareers.layer, PlayerDirectory.layer, TennisHeadToHeads.layer, TennisMatchArchive.layer)
import { TournamentArchive } from "./tournaments/TournamentArchive.ts"
import { TournamentMatches } from "./tournaments/TournamentMatches.ts"

export class TennisArchive {
  static readonly layer = Layer.mergeAll(TournamentArchive.layer, TournamentMatches.layer)
import { TennisCoverage } from "./content/TennisCoverage.ts"
import { Leaderboards } from "./leaderboards/Leaderboards.ts"
import { RankingMoves } from "./rankings/RankingMoves.ts"
import { TennisRankings } from "./rankings/TennisRankings.ts"

export class TennisArchive {
  static readonly layer = Layer.mergeAll(Leaderboards.layer, RankingMoves.layer, TennisCoverage.layer, TennisRankings.layer)
}
