/**
 * The facts written so far but not yet handed out, and the match's clock. Owns ordinals and the order of time. Throws and purchases are
 * reported apart from the facts: no feed reports them, only their results.
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

/** Reports of what no feed reports. Called while a round is played, before its facts are handed out. Changes no fact. */
export interface ScriptHooks {
  readonly onThrow?: ((thrown: Throw) => void) | undefined
  /** Items that a player bought for a round. */
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

  /** Writes what happens now. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
  }

  /** Tells of a grenade that is thrown now. */
  tellThrow(thrower: PlayerId, grenade: Grenade): void {
    this.#hooks.onThrow?.({ offsetMs: Math.round(this.now), thrower, grenade })
  }

  /** Reports what a player bought for this round. */
  reportPurchases(player: PlayerId, items: number): void {
    this.#hooks.onPurchase?.(player, items)
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
