/** What the register of matches is told by a match's owner: that it is live, how many parts are won, how it ended. Each once. */
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { isOpenResult, type Matches } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { DateTime, Effect, Option } from "effect"
import type { LiveGame } from "./LiveGame.ts"

export class MatchRegister {
  readonly #matches: Matches["Service"]
  readonly #game: LiveGame
  #startRecorded = false
  #partsRecorded = 0

  constructor(matches: Matches["Service"], game: LiveGame) {
    this.#matches = matches
    this.#game = game
  }

  /** Records what has changed since the last call. A failure changes nothing here: the next call tries again. */
  follow(state: GameState): Effect.Effect<void, StoreError> {
    if (state.status !== "live") return Effect.void
    return Effect.andThen(this.#start(state), this.#parts(state))
  }

  /**
   * Records the end. The first end that is recorded stays, but for a result that is recorded as open: the next one replaces it. A short match may not
   * even have been marked live.
   */
  finish(state: GameState): Effect.Effect<void, StoreError> {
    const endedAt = DateTime.makeUnsafe(state.endedAt ?? state.observedAt)
    const status = state.status === "cancelled" ? "cancelled" : "completed"
    const result = this.#game.resultOf(state)
    const settle = isOpenResult(result) ? Effect.void : this.#matches.settle(state.matchId, result)
    return this.#markLive(state).pipe(
      Effect.andThen(this.#matches.finish(state.matchId, endedAt, status, result)),
      Effect.flatMap((isFirst) => (isFirst ? Effect.void : settle)),
      Effect.asVoid,
    )
  }

  /** The first event of a registered match. Undefined: it is not registered, or its row does not say enough. */
  createdAgain(matchId: MatchId, now: number): Effect.Effect<GameEvent | undefined, StoreError> {
    return Effect.map(this.#matches.find(matchId), (row) =>
      Option.isNone(row) ? undefined : this.#game.createdAgain(row.value, matchId, now),
    )
  }

  #start(state: GameState): Effect.Effect<void, StoreError> {
    if (this.#startRecorded) return Effect.void
    return Effect.map(this.#markLive(state), () => {
      this.#startRecorded = true
    })
  }

  #parts(state: GameState): Effect.Effect<void, StoreError> {
    const [one, two] = this.#game.partsWon(state)
    if (one + two <= this.#partsRecorded) return Effect.void
    return Effect.map(this.#matches.advance(state.matchId, [one, two]), () => {
      this.#partsRecorded = one + two
    })
  }

  #markLive(state: GameState): Effect.Effect<boolean, StoreError> {
    return this.#matches.markLive(state.matchId, DateTime.makeUnsafe(state.startedAt ?? state.observedAt))
  }
}
