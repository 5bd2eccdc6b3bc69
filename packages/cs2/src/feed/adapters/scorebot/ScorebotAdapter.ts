/**
 * Derives facts from a scorebot, a service that streams the events of a match. Rounds, kills and the bomb come from its
 * log; money and counts come from its scoreboard. Repeated log entries are recognized by their position in the match
 * (map, round, victim), regardless of their arrival time.
 */
import { Result } from "effect"
import type { Adapter } from "../Adapter.ts"
import { Derivation } from "../Derivation.ts"
import { BACKLOG_STEP_MS, readLog } from "./log.ts"
import { decodeMessage } from "./messages.ts"
import { readScoreboard } from "./scoreboard.ts"

/** `at` is in epoch milliseconds; `message` is not decoded yet. */
export interface ScorebotInput {
  readonly at: number
  readonly message: unknown
}

export interface ScorebotMemory {
  /** Arrival time of the newest message. Earlier messages have been processed already. */
  readonly newest: number
}

const prefix = "sb:"

export const scorebot: Adapter<ScorebotInput, ScorebotMemory> = {
  name: "sb",
  initial: () => ({ newest: 0 }),
  recall: (memory, event) =>
    // Events from a backlog (old entries in one message) have earlier times than the message, so the maximum is used.
    event.id.startsWith(prefix) ? { newest: Math.max(memory.newest, event.observedAt) } : memory,
  step: ({ memory, state }, { at, message }, receivedAt) => {
    const derivation = new Derivation(state, receivedAt)
    if (at < memory.newest) {
      derivation.ignore()
      return derivation.done(memory)
    }
    const decoded = decodeMessage(message)
    if (Result.isFailure(decoded)) {
      derivation.problem({ code: "malformed", message: String(decoded.failure), raw: JSON.stringify(message) ?? String(message) })
      return derivation.done(memory)
    }
    const { args, event } = decoded.success
    if (event === "log") readLog(derivation, at, args.log)
    else if (event === "scoreboard") readScoreboard(derivation, at, args)
    else derivation.ignore()
    return derivation.done({ newest: at })
  },
}

/**
 * Log entries have no times, so those of a backlog get times before the arrival of the message. The oldest is moved
 * back by at most this, in milliseconds.
 */
export const LONGEST_BACKLOG_MS = 1_200 * BACKLOG_STEP_MS
