/** State that games with two feeds of the same facts share. A game adds its own fields. */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { WatchedState } from "./FeedWatchdog.ts"

export interface SharedState extends WatchedState {
  /** Version of the game's state format. */
  readonly format: number
  /** Newest accepted events (see `seenKey`). A game rejects older repetitions by their position or their time. */
  readonly seen: ReadonlyArray<string>
}

/** Different feeds may use the same ids. */
export const seenKey = ({ id, source }: Pick<GameEvent, "id" | "source">): string => (source === "main" ? id : `backup/${id}`)

export const newMatch = <Format extends number>(format: Format, created: GameEvent) =>
  ({
    format,
    matchId: created.matchId,
    epoch: 1,
    seq: 1,
    status: "scheduled",
    source: "live",
    silence: null,
    suspendedAt: null,
    seen: [seenKey(created)],
    startedAt: null,
    endedAt: null,
    observedAt: created.observedAt,
    receivedAt: created.receivedAt,
  }) as const satisfies SharedState

/**
 * Increments `seq`, stores the key of the event, and advances the times of the match, which never go back. A report of a
 * feed ends its silence. Events about a silence or a loss are no reports and keep the times of the last report.
 */
export const stamp = <State extends SharedState>(state: State, event: GameEvent, maxSeen: number): State => {
  const isReport = event.type !== "HistoryLost" && event.type !== "FeedSilent"
  return {
    ...state,
    seq: state.seq + 1,
    seen: [...state.seen.slice(1 - maxSeen), seenKey(event)],
    silence: isReport ? null : state.silence,
    observedAt: isReport ? Math.max(state.observedAt, event.observedAt) : state.observedAt,
    receivedAt: isReport ? Math.max(state.receivedAt, event.receivedAt) : state.receivedAt,
  }
}
