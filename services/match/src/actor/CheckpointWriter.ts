/**
 * Writes the checkpoints of one match, one at a time. Otherwise, a slow save could arrive after a newer one by the same
 * owner, which would mistake the newer checkpoint for one of another owner.
 */
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import type { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Semaphore } from "effect"
import { LostOwnership } from "./LostOwnership.ts"
import { type Cursor, isAfter } from "./MatchPublisher.ts"

export interface Position {
  readonly state: GameState
  /** Last record of FEED that has been folded into the state. */
  readonly feedSequence: number
}

export class CheckpointWriter {
  readonly #checkpoints: MatchCheckpoints["Service"]
  readonly #rules: LiveGame["rules"]
  readonly #newest: () => Position | undefined
  readonly #beforeSave: Effect.Effect<void, StoreError>
  readonly #turn = Semaphore.makeUnsafe(1)
  /** The newest state that is known to be stored. */
  #saved: Cursor

  /**
   * `newest` is called at the start of each save, so that a delayed save includes the latest changes. `saved` is the
   * cursor of the checkpoint that is already stored. `beforeSave` stores what must be stored before the position, such
   * as the webhook events up to it.
   */
  constructor(
    checkpoints: MatchCheckpoints["Service"],
    rules: LiveGame["rules"],
    newest: () => Position | undefined,
    saved: Cursor = { epoch: 0, seq: 0 },
    beforeSave: Effect.Effect<void, StoreError> = Effect.void,
  ) {
    this.#checkpoints = checkpoints
    this.#rules = rules
    this.#newest = newest
    this.#beforeSave = beforeSave
    this.#saved = saved
  }

  /** Saves if the match state is newer than the stored one. */
  readonly save: Effect.Effect<void, StoreError | LostOwnership> = this.#inTurn((position) => isAfter(position.state, this.#saved))

  /** Saves the current position in FEED, even if the state has not changed. */
  readonly saveSequence: Effect.Effect<void, StoreError | LostOwnership> = this.#inTurn(() => true)

  #inTurn(isDue: (position: Position) => boolean): Effect.Effect<void, StoreError | LostOwnership> {
    return Effect.suspend(() => {
      const position = this.#newest()
      if (position === undefined || !isDue(position)) return Effect.void
      const { feedSequence, state } = position
      const save = Effect.andThen(this.#beforeSave, this.#checkpoints.save(this.#rules, state, feedSequence))
      return Effect.flatMap(save, (isNewest) => {
        if (!isNewest) return Effect.fail(new LostOwnership({ matchId: state.matchId, reason: "CheckpointRefused" }))
        this.#saved = { epoch: state.epoch, seq: state.seq }
        return Effect.void
      })
    }).pipe((once) => this.#turn.withPermit(once))
  }
}
