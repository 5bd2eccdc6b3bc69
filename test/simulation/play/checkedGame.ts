/** CS2 with a full check of every state: each state that a fold accepts must keep the invariants of the scoreboard. */
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { violationOf } from "@matchpoint/domain/cs2/live/invariants"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"
import { cs2LiveGame } from "@matchpoint/service-match/cs2/cs2LiveGame"
import type { LiveGame } from "@matchpoint/service-match/LiveGame"
import type { Findings } from "../audit/Findings.ts"

export const checkedGame = (findings: Findings): LiveGame<MatchState, FeedEvent> => ({
  ...cs2LiveGame,
  rules: {
    ...cs2LiveGame.rules,
    fold: (state, event) => {
      const step = cs2LiveGame.rules.fold(state, event)
      const found = step._tag === "Accepted" ? violationOf(step.state) : undefined
      if (found !== undefined) findings.add("fold", `${event.matchId} after ${event.type} ${event.id}: ${found.message}`)
      return step
    },
  },
})
