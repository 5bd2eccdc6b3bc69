/** A match that is being simulated: its state, its time, and the number of its facts. */
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { simulatedFactId } from "./simulatedFactId.ts"
import { feedEventOf, type HappeningOf, type TimedFactOf } from "./timedFact.ts"

export class Play<State extends GameState, Event extends GameEvent> {
  readonly #matchId: MatchId
  readonly #fold: GameRules<State, Event>["fold"]
  #state: State | undefined
  #offsetMs = 0
  #facts = 0

  constructor(matchId: MatchId, fold: GameRules<State, Event>["fold"]) {
    this.#matchId = matchId
    this.#fold = fold
  }

  get live(): State {
    if (this.#state === undefined) throw new Error("the match is not created")
    return this.#state
  }

  /** Milliseconds since the first fact. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  pass(ms: number): void {
    this.#offsetMs += Math.round(ms)
  }

  /** Adds a fact at the current time. Throws if it breaks a rule of the game, which is a bug of the simulator. */
  add(happening: HappeningOf<Event>): TimedFactOf<Event> {
    this.#facts += 1
    const at = this.#offsetMs
    const fact: TimedFactOf<Event> = { offsetMs: at, matchId: this.#matchId, factId: simulatedFactId(this.#facts), ...happening }
    const step = this.#fold(this.#state, feedEventOf<Event>(fact, { observedAt: at, receivedAt: at }))
    if (step._tag === "Rejected") throw new Error(`the simulator broke a rule: ${step.rejection.message}`)
    this.#state = step.state
    return fact
  }
}

/** The generator returns the final state. */
export const finalStateOf = <State>(facts: Generator<unknown, State, undefined>): State => {
  let step = facts.next()
  while (step.done !== true) step = facts.next()
  return step.value
}
