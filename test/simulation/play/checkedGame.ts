/** CS2 with a full check of every state: each state that a fold accepts must keep the invariants of the scoreboard. */
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { violationOf } from "@matchpoint/cs2/rules/live/invariants"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
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
