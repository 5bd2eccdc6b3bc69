/**
 * Output of the simulator: the facts (events) of one match, each with the time since the first one. The real start time
 * and the speed are determined by the code that replays the match.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { FactId, MatchId } from "@matchpoint/domain/ids"

/** Type and payload of a fact, without its time and match. */
export type HappeningOf<Event extends GameEvent> = Event extends unknown ? Pick<Event, "type" | "payload"> : never

export type TimedFactOf<Event extends GameEvent> = HappeningOf<Event> & {
  /** Time in milliseconds since the first event of the match. Never decreases from one event to the next. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** Id of the fact in the form `sim:<ordinal>`; see `simulatedFactId.ts`. The first fact has the ordinal 1. */
  readonly factId: FactId
}

/** Times of a feed event, in milliseconds since the Unix epoch. */
interface Times {
  readonly observedAt: number
  readonly receivedAt: number
}

/** Converts a simulated fact to a feed event, that is, to the form in which feeds report events. */
export const feedEventOf = <Event extends GameEvent>(fact: TimedFactOf<Event>, { observedAt, receivedAt }: Times): Event => {
  const { factId, matchId, payload, type } = fact
  return { id: factId, matchId, source: "main", observedAt, receivedAt, type, payload } as GameEvent as Event
}
