/**
 * Output of the simulator: the facts of one match, each with the time since the first one. The code that replays the
 * match determines the real start time and the speed.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { FactId, MatchId } from "@matchpoint/domain/ids"

/** Without its time and match. */
export type HappeningOf<Event extends GameEvent> = Event extends unknown ? Pick<Event, "type" | "payload"> : never

export type TimedFactOf<Event extends GameEvent> = HappeningOf<Event> & {
  /** Milliseconds since the first event of the match. Never decreases. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** `sim:<ordinal>`, see `simulatedFactId.ts`. The first fact has the ordinal 1. */
  readonly factId: FactId
}

/** Milliseconds since the Unix epoch. */
interface Times {
  readonly observedAt: number
  readonly receivedAt: number
}

/** Returns the form in which feeds report events. */
export const feedEventOf = <Event extends GameEvent>(fact: TimedFactOf<Event>, { observedAt, receivedAt }: Times): Event => {
  const { factId, matchId, payload, type } = fact
  return { id: factId, matchId, source: "main", observedAt, receivedAt, type, payload } as GameEvent as Event
}
