/** The facts written so far but not yet handed out, and the match's clock. Owns ordinals and the order of time. */
import type { MatchId } from "@matchpoint/domain/ids"
import { type Happening, simulatedFactId, type TimedFact } from "./timedFact.ts"

export class Script {
  /** Milliseconds since the match's first fact. */
  now = 0
  mapNumber = 0
  round = 0
  readonly #matchId: MatchId
  #ordinal = 0
  #facts: Array<TimedFact> = []

  constructor(matchId: MatchId) {
    this.#matchId = matchId
  }

  /** Writes what happens now. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
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
