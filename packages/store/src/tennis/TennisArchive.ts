/** Layer with all services that read the tennis archive. Add new services here. */
import { Layer } from "effect"
import { TournamentArchive } from "./tournaments/TournamentArchive.ts"
import { TournamentMatches } from "./tournaments/TournamentMatches.ts"

export class TennisArchive {
  static readonly layer = Layer.mergeAll(TournamentArchive.layer, TournamentMatches.layer)
}
