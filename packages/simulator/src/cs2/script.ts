/**
 * The facts written so far but not yet handed out, and the match's clock. Owns ordinals and the order of time. Grenades are told apart
 * from the facts: no feed tells a throw, only what it does.
 */

import type { PlayerId } from "@matchpoint/domain/cs2/ids"
import type { Grenade } from "@matchpoint/domain/cs2/statistics/MapRecord"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Happening, simulatedFactId, type TimedFact } from "./timedFact.ts"

/** A grenade that left a hand. */
export interface Throw {
  /** Milliseconds since the match's first fact. */
  readonly offsetMs: number
  readonly thrower: PlayerId
  readonly grenade: Grenade
}

export class Script {
  /** Milliseconds since the match's first fact. */
  now = 0
  mapNumber = 0
  round = 0
  readonly #matchId: MatchId
  readonly #onThrow: ((thrown: Throw) => void) | undefined
  #ordinal = 0
  #facts: Array<TimedFact> = []

  constructor(matchId: MatchId, onThrow?: (thrown: Throw) => void) {
    this.#matchId = matchId
    this.#onThrow = onThrow
  }

  /** Writes what happens now. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
  }

  /** Tells of a grenade that is thrown now. */
  tellThrow(thrower: PlayerId, grenade: Grenade): void {
    this.#onThrow?.({ offsetMs: Math.round(this.now), thrower, grenade })
  }

  /** Lets time pass; it never runs backwards. */
  pass(milliseconds: number): void {
    if (milliseconds > 0) this.now += milliseconds
  }

  /** Hands out what was written since the last call. */
  take(): ReadonlyArray<TimedFact> {
    const facts = this.#facts
    this.#facts = []
    return facts
  }
}
