/**
 * Holds the clock of the simulated match, and the events that were emitted but not yet taken. Numbers the events and
 * keeps them in chronological order. Grenade throws and purchases are passed to hooks instead, because live data feeds
 * do not report them as events.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { simulatedFactId } from "@matchpoint/simulator/simulatedFactId"
import type { PlayerId } from "../rules/ids.ts"
import type { Grenade } from "../rules/statistics/MapRecord.ts"
import type { Happening, TimedFact } from "./timedFact.ts"

/** A thrown grenade. */
export interface Throw {
  /** Time of the throw, in milliseconds since the first event of the match. */
  readonly offsetMs: number
  readonly thrower: PlayerId
  readonly grenade: Grenade
}

/**
 * Hooks for actions that no live data feed reports (grenade throws and purchases). They are called while a round is
 * being simulated, before the events of the round are yielded. They must not change any events.
 */
export interface ScriptHooks {
  readonly onThrow?: ((thrown: Throw) => void) | undefined
  /** Called with the number of items that a player bought for a round. */
  readonly onPurchase?: ((player: PlayerId, items: number) => void) | undefined
}

export class Script {
  /** Current match time, in milliseconds since the first event of the match. */
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

  /** Emits a fact (an event of the match) at the current match time. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
  }

  /** Calls the `onThrow` hook for a grenade that is thrown at the current match time. */
  reportThrow(thrower: PlayerId, grenade: Grenade): void {
    this.#hooks.onThrow?.({ offsetMs: Math.round(this.now), thrower, grenade })
  }

  /** Calls the `onPurchase` hook with the number of items that a player bought for this round. */
  reportPurchases(player: PlayerId, items: number): void {
    this.#hooks.onPurchase?.(player, items)
  }

  /** Advances the clock. Ignores durations that are not positive, so that time never runs backwards. */
  pass(milliseconds: number): void {
    if (milliseconds > 0) this.now += milliseconds
  }

  /** Returns the facts (events) emitted since the last call, and clears the list of them. */
  take(): ReadonlyArray<TimedFact> {
    const facts = this.#facts
    this.#facts = []
    return facts
  }
}
