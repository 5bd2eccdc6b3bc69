/** Progress of a match in the register: its start, the maps or sets won, and its end. Each change is written once. */
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { isOpenResult, type Matches } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { DateTime, Effect, Option } from "effect"

export class MatchRegister {
  readonly #matches: Matches["Service"]
  readonly #game: LiveGame
  #startRecorded = false
  #partsRecorded = 0

  constructor(matches: Matches["Service"], game: LiveGame) {
    this.#matches = matches
    this.#game = game
  }

  /** Records what has changed since the last call. If a write fails, the next call tries again. */
  follow(state: GameState): Effect.Effect<void, StoreError> {
    if (state.status !== "live") return Effect.void
    return Effect.andThen(this.#start(state), this.#parts(state))
  }

  /**
   * Also records the start if that has not been done, as in a short match. Later calls do not change the end, unless
   * its result was recorded as open (not yet final).
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

  /** The first event of a registered match. Undefined if the match is not registered or its row does not contain enough data. */
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
