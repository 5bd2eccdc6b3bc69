/**
 * Facts that are written but not yet handed out, and the match clock. Owns the ordinals of the facts and the order of
 * time. Throws and purchases go to hooks instead, because feeds report only their results.
 */

import type { PlayerId } from "@matchpoint/domain/cs2/ids"
import type { Grenade } from "@matchpoint/domain/cs2/statistics/MapRecord"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Happening, simulatedFactId, type TimedFact } from "./timedFact.ts"

/** A thrown grenade. */
export interface Throw {
  /** Milliseconds since the match's first fact. */
  readonly offsetMs: number
  readonly thrower: PlayerId
  readonly grenade: Grenade
}

/**
 * Hooks for events that no feed reports. They are called while a round is played, before its facts are handed out. They
 * change no fact.
 */
export interface ScriptHooks {
  readonly onThrow?: ((thrown: Throw) => void) | undefined
  /** Receives the number of items that a player bought for a round. */
  readonly onPurchase?: ((player: PlayerId, items: number) => void) | undefined
}

export class Script {
  /** Milliseconds since the match's first fact. */
  now = 0
  mapNumber = 0
  round = 0
  readonly #matchId: MatchId
  readonly #hooks: ScriptHooks
  #ordinal = 0
  #facts: Array<TimedFact> = []

  constructor(matchId: MatchId, hooks: ScriptHooks = {}) {
    this.#matchId = matchId
    this.#hooks = hooks
  }

  /** Writes a fact at the current time. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
  }

  /** Reports a grenade thrown at the current time. */
  tellThrow(thrower: PlayerId, grenade: Grenade): void {
    this.#hooks.onThrow?.({ offsetMs: Math.round(this.now), thrower, grenade })
  }

  /** Reports the number of items that a player bought for this round. */
  reportPurchases(player: PlayerId, items: number): void {
    this.#hooks.onPurchase?.(player, items)
  }

  /** Advances the clock. Ignores durations that are not positive, so that time never runs backwards. */
  pass(milliseconds: number): void {
    if (milliseconds > 0) this.now += milliseconds
  }

  /** Returns the facts written since the last call and clears them. */
  take(): ReadonlyArray<TimedFact> {
    const facts = this.#facts
    this.#facts = []
    return facts
  }
}
