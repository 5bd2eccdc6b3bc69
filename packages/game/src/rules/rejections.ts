/** Reasons why an event is rejected, shared by the games whose two feeds report the same facts. */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"

/** Codes of the shared checks, and codes that mean the same in every game. A game adds its own. */
export type SharedRejectionCode =
  | "observed_in_future"
  | "match_not_created"
  | "match_exists"
  | "wrong_match"
  | "duplicate"
  | "backup_standby"
  | "match_not_started"
  | "match_over"
  | "suspended"
  | "not_suspended"
  | "late_fact"
  | "outdated"
  | "invariant"

export interface Rejection<Code extends string = SharedRejectionCode> {
  readonly code: Code
  /** Tells the sender the problem and what was expected. */
  readonly message: string
}

export const reject = <const Code extends string>(code: Code, message: string): Rejection<Code> => ({ code, message })

/** The feed of an event, and its time by the clock of this feed. */
export interface Marked {
  readonly source: GameEvent["source"]
  readonly at: number
}

export const markOf = ({ observedAt, source }: GameEvent): Marked => ({ source, at: observedAt })

/**
 * Rejects an event that its feed observed before `marked`, an event of the same kind that was already applied: it is a
 * repetition or out of order. The clocks of two feeds are not compared.
 */
export const isNotBefore = (marked: Marked | null, { id, observedAt, source }: GameEvent): Rejection<"late_fact"> | undefined =>
  marked !== null && marked.source === source && observedAt < marked.at
    ? reject("late_fact", `fact ${id} was observed before one that was already applied`)
    : undefined
