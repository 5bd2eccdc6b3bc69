/**
 * Holds the match clock, and the facts (events of the match) that were written but not yet taken. Numbers the facts and
 * keeps them in chronological order. Throws and purchases are passed to hooks instead, because live data feeds do not
 * report them as events.
 */

import type { PlayerId } from "@matchpoint/domain/cs2/ids"
import type { Grenade } from "@matchpoint/domain/cs2/statistics/MapRecord"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Happening, simulatedFactId, type TimedFact } from "./timedFact.ts"

/** A thrown grenade. */
export interface Throw {
  /** Time of the throw, in milliseconds since the first fact of the match. */
  readonly offsetMs: number
  readonly thrower: PlayerId
  readonly grenade: Grenade
}

/**
 * Hooks for events that no live data feed reports. They are called while a round is being played, before the facts of
 * the round are yielded. They do not change any facts.
 */
export interface ScriptHooks {
  readonly onThrow?: ((thrown: Throw) => void) | undefined
  /** Called with the number of items that a player bought for a round. */
  readonly onPurchase?: ((player: PlayerId, items: number) => void) | undefined
}

export class Script {
  /** Current match time, in milliseconds since the first fact of the match. */
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

  /** Writes a fact (an event of the match) at the current match time. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
  }

  /** Passes a grenade thrown at the current match time to the hook. */
  reportThrow(thrower: PlayerId, grenade: Grenade): void {
    this.#hooks.onThrow?.({ offsetMs: Math.round(this.now), thrower, grenade })
  }

  /** Passes the number of items that a player bought for this round to the hook. */
  reportPurchases(player: PlayerId, items: number): void {
    this.#hooks.onPurchase?.(player, items)
  }

  /** Advances the clock. Ignores durations that are not positive, so that time never runs backwards. */
  pass(milliseconds: number): void {
    if (milliseconds > 0) this.now += milliseconds
  }

  /** Returns the facts written since the last call, and clears the list. */
  take(): ReadonlyArray<TimedFact> {
    const facts = this.#facts
    this.#facts = []
    return facts
  }
}
