import { matchFold } from "@matchpoint/game/rules/matchFold"
import { decideCreated, decideFact } from "./decide.ts"
import { create, evolveFact } from "./evolve.ts"
import { violationOf } from "./invariants.ts"
import { type LobbyState, MAX_SEEN } from "./state.ts"

export const { fold, foldAll } = matchFold({
  maxSeen: MAX_SEEN,
  create,
  decideCreated,
  decideFact,
  evolveFact,
  loseHistory: (state: LobbyState): LobbyState => ({ ...state, countsEverything: false }),
  violationOf,
})
