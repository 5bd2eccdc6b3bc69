import { factId, type MatchId } from "@matchpoint/domain/ids"

export const historyLost = (matchId: MatchId, epoch: number, now: number) =>
  ({
    id: factId(`history-lost:${epoch}`),
    matchId,
    source: "main",
    observedAt: now,
    receivedAt: now,
    type: "HistoryLost",
    payload: { epoch },
  }) as const
