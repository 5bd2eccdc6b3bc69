/**
 * Facts from a scorebot: rounds, kills and the bomb from its log, money and counts from its scoreboard. What is sent again is known
 * by its place in the match (map, round, victim), whatever the time it comes at.
 */

import { Result } from "effect"
import type { Adapter } from "../Adapter.ts"
import { Derivation } from "../Derivation.ts"
import { BACKLOG_STEP_MS, readLog } from "./log.ts"
import { decodeMessage } from "./messages.ts"
import { readScoreboard } from "./scoreboard.ts"

/** A message as it came: `at` in epoch milliseconds, `message` not yet looked at. */
export interface ScorebotInput {
  readonly at: number
  readonly message: unknown
}

export interface ScorebotMemory {
  /** When the newest message came that told anything; an older one has been read. */
  readonly newest: number
}

const prefix = "sb:"

export const scorebot: Adapter<ScorebotInput, ScorebotMemory> = {
  name: "sb",
  initial: () => ({ newest: 0 }),
  recall: (memory, event) =>
    // The entries of a backlog lie before the message that brought them.
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

/** How long before its message the oldest entry of a log may be laid. */
export const LONGEST_BACKLOG_MS = 1_200 * BACKLOG_STEP_MS
