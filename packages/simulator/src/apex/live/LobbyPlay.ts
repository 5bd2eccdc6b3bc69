/** The lobby that is being simulated: its state, its time, and the number of its facts. */
import { fold } from "@matchpoint/domain/apex/live/fold"
import type { Game, LobbyState } from "@matchpoint/domain/apex/live/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { simulatedFactId } from "../../simulatedFactId.ts"
import { type Happening, type TimedFact, toFeedEvent } from "./timedFact.ts"

export class LobbyPlay {
  readonly #matchId: MatchId
  #state: LobbyState | undefined
  #offsetMs = 0
  #facts = 0

  constructor(matchId: MatchId) {
    this.#matchId = matchId
  }

  get live(): LobbyState {
    if (this.#state === undefined) throw new Error("the lobby is not created")
    return this.#state
  }

  get game(): Game {
    if (this.live.game === null) throw new Error("no game is in progress")
    return this.live.game
  }

  /** Milliseconds since the first fact. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  pass(ms: number): void {
    this.#offsetMs += Math.round(ms)
  }

  add(happening: Happening): TimedFact {
    this.#facts += 1
    const fact: TimedFact = { offsetMs: this.#offsetMs, matchId: this.#matchId, factId: simulatedFactId(this.#facts), ...happening }
    const step = fold(this.#state, toFeedEvent(fact, { observedAt: this.#offsetMs, receivedAt: this.#offsetMs }))
    if (step._tag === "Rejected") throw new Error(`the simulator broke a rule: ${step.rejection.message}`)
    this.#state = step.state
    return fact
  }
}
