/**
 * Writes the checkpoints of one match on behalf of its owner, one at a time. Otherwise a slow save could reach the
 * store after a newer one of the same owner and look like a save by another owner.
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
  /** Sequence of the last FEED record that is folded into the state. */
  readonly feedSequence: number
}

export class CheckpointWriter {
  readonly #checkpoints: MatchCheckpoints["Service"]
  readonly #rules: LiveGame["rules"]
  readonly #newest: () => Position | undefined
  readonly #turn = Semaphore.makeUnsafe(1)
  /** Newest position that is known to be in the store. */
  #saved: Cursor

  /** `newest` is called when a save starts, not when it is requested. `saved` is the stored position. */
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

  /** Saves the state if it is newer than the stored one. */
  readonly save: Effect.Effect<void, StoreError | LostOwnership> = this.#inTurn((position) => isAfter(position.state, this.#saved))

  /** Saves the FEED position, even if the state has not changed. */
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
