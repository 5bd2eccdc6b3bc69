/**
 * Holds the clock of the simulated match, and the facts that were emitted but not yet taken. Numbers the facts and
 * keeps them in chronological order. Grenade throws and purchases go to hooks, because live data feeds do not report
 * them.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { simulatedFactId } from "@matchpoint/simulator/simulatedFactId"
import type { PlayerId } from "../rules/ids.ts"
import type { Grenade } from "../rules/statistics/MapRecord.ts"
import type { Happening, TimedFact } from "./timedFact.ts"

export interface Throw {
  /** Milliseconds since the first event of the match. */
  readonly offsetMs: number
  readonly thrower: PlayerId
  readonly grenade: Grenade
}

/**
 * Hooks for actions that no live data feed reports. Called while a round is simulated, before its events are yielded.
 * They must not change any events.
 */
export interface ScriptHooks {
  readonly onThrow?: ((thrown: Throw) => void) | undefined
  /** Number of items that a player bought for a round. */
  readonly onPurchase?: ((player: PlayerId, items: number) => void) | undefined
}

export class Script {
  /** Milliseconds since the first event of the match. */
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

  /** Emits a fact at the current match time. */
  write(happening: Happening): void {
    this.#ordinal += 1
    this.#facts.push({ offsetMs: Math.round(this.now), matchId: this.#matchId, factId: simulatedFactId(this.#ordinal), ...happening })
  }

  reportThrow(thrower: PlayerId, grenade: Grenade): void {
    this.#hooks.onThrow?.({ offsetMs: Math.round(this.now), thrower, grenade })
  }

  reportPurchases(player: PlayerId, items: number): void {
    this.#hooks.onPurchase?.(player, items)
  }

  /** Ignores durations that are not positive, so that time never runs backwards. */
  pass(milliseconds: number): void {
    if (milliseconds > 0) this.now += milliseconds
  }

  /** The facts emitted since the last call. */
  take(): ReadonlyArray<TimedFact> {
    const facts = this.#facts
    this.#facts = []
    return facts
  }
}
