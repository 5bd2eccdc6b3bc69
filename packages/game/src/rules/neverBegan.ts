/** Cancels a match that never began, in games whose feeds report `Cancelled`. */
import { factId, type MatchId } from "@matchpoint/domain/ids"

export const neverBegan = (matchId: MatchId, now: number) =>
  ({
    id: factId("never-began"),
    matchId,
    source: "main",
    observedAt: now,
    receivedAt: now,
    type: "Cancelled",
    payload: { reason: "never began" },
  }) as const
