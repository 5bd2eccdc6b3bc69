import { matchFold } from "@matchpoint/game/rules/matchFold"
import { decideCreated, decideFact } from "./decide.ts"
import { create, evolveFact } from "./evolve.ts"
import { violationOf } from "./invariants.ts"
import { MAX_SEEN, type MatchState } from "./state.ts"

export const { fold, foldAll } = matchFold({
  maxSeen: MAX_SEEN,
  create,
  decideCreated,
  decideFact,
  evolveFact,
  loseHistory: (state: MatchState): MatchState => ({ ...state, countsEveryPoint: false }),
  violationOf,
})
