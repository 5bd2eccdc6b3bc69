/**
 * The checkpoints of one match as its owner writes them: one at a time, so that an older one of its own never reaches the store after a
 * newer one and is taken for another owner's.
 */
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Semaphore } from "effect"
import type { LiveGame } from "./LiveGame.ts"
import { LostOwnership } from "./LostOwnership.ts"
import type { MatchCheckpoints } from "./MatchCheckpoints.ts"
import { type Cursor, isAfter } from "./MatchPublisher.ts"

export interface Position {
  readonly state: GameState
  /** The last record of FEED that is folded into it. */
  readonly feedSequence: number
}

export class CheckpointWriter {
  readonly #checkpoints: MatchCheckpoints["Service"]
  readonly #rules: LiveGame["rules"]
  readonly #newest: () => Position | undefined
  readonly #turn = Semaphore.makeUnsafe(1)
  /** What the store has at least. */
  #saved: Cursor

  /** `newest` is asked in the turn of each save. `saved`: what is stored. */
  constructor(
    checkpoints: MatchCheckpoints["Service"],
    rules: LiveGame["rules"],
    newest: () => Position | undefined,
    saved: Cursor = { epoch: 0, seq: 0 },
  ) {
    this.#checkpoints = checkpoints
    this.#rules = rules
    this.#newest = newest
    this.#saved = saved
  }

  /** Saves a state that is newer than the stored one. */
  readonly save: Effect.Effect<void, StoreError | LostOwnership> = this.#inTurn((position) => isAfter(position.state, this.#saved))

  /** Saves how far FEED was read, whether or not the state has changed. */
  readonly saveSequence: Effect.Effect<void, StoreError | LostOwnership> = this.#inTurn(() => true)

  #inTurn(isDue: (position: Position) => boolean): Effect.Effect<void, StoreError | LostOwnership> {
    return Effect.suspend(() => {
      const position = this.#newest()
      if (position === undefined || !isDue(position)) return Effect.void
      const { feedSequence, state } = position
      return Effect.flatMap(this.#checkpoints.save(this.#rules, state, feedSequence), (isNewest) => {
        if (!isNewest) return Effect.fail(new LostOwnership({ matchId: state.matchId, reason: "CheckpointRefused" }))
        this.#saved = { epoch: state.epoch, seq: state.seq }
        return Effect.void
      })
    }).pipe((once) => this.#turn.withPermit(once))
  }
}
