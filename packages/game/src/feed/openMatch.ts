/** Prepares a match of a game whose `MatchCreated` contains everything that a registration states. */
import { factId, type MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration } from "@matchpoint/store/live/Matches"

/** `match` is the row of the match register. `now` is in epoch milliseconds. */
export const openMatch = <Payload>(match: Omit<MatchRegistration, "config">, payload: Payload, now: number) => ({
  match,
  config: {},
  created: (matchId: MatchId) =>
    ({ id: factId("created"), matchId, source: "main", observedAt: now, receivedAt: now, type: "MatchCreated", payload }) as const,
})
