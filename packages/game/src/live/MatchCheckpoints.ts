/**
 * Converts match states to serialized checkpoints and back. A checkpoint in an older format is migrated. If it cannot be
 * migrated, the match folds its facts again from the first one.
 */
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Semaphore } from "effect"
import type { LiveGame } from "./LiveGame.ts"

export interface LoadedCheckpoint<State> {
  /** Undefined if this version of the service cannot read the format of the checkpoint. */
  readonly state: State | undefined
  /** Cursor (epoch and sequence number) of the state. It is set even if the state itself cannot be read. */
  readonly epoch: number
  readonly seq: number
  /** Sequence number of the last record of FEED that has been folded into the state. */
  readonly feedSequence: number
}

export class MatchCheckpoints extends Context.Service<
  MatchCheckpoints,
  {
    readonly load: <State extends GameState>(
      rules: LiveGame<State>["rules"],
      matchId: MatchId,
    ) => Effect.Effect<LoadedCheckpoint<State> | undefined, StoreError>
    /** Returns false if the database contains a newer checkpoint: another owner of the match is ahead. */
    readonly save: (rules: LiveGame["rules"], state: GameState, feedSequence: number) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/game/live/MatchCheckpoints") {
  static readonly layer = Layer.effect(
    MatchCheckpoints,
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      // If the database is too slow for the number of matches, further saves wait here and are then sent in batches
      // instead of timing out.
      const turns = yield* Semaphore.make(SAVES_AT_ONCE)
      return MatchCheckpoints.of({
        load: Effect.fn("MatchCheckpoints.load")(function* <State extends GameState>(rules: LiveGame<State>["rules"], matchId: MatchId) {
          const found = yield* checkpoints.load(matchId)
          if (Option.isNone(found)) return undefined
          const { epoch, feedSequence, formatVersion, seq, state } = found.value
          const read: unknown = JSON.parse(state)
          // A checkpoint in the current format was written by this version, so its state needs no validation.
          if (formatVersion === rules.stateFormat) return { state: read as State, epoch, seq, feedSequence }
          const migrated = rules.migrate?.(formatVersion, read)
          if (migrated === undefined) {
            yield* Effect.logError(`${matchId}: this version cannot read the checkpoint's format ${formatVersion}`)
          }
          return { state: migrated, epoch, seq, feedSequence }
        }),
        save: Effect.fn("MatchCheckpoints.save")(
          (rules: LiveGame["rules"], state: GameState, feedSequence: number) =>
            checkpoints.save({
              matchId: state.matchId,
              epoch: state.epoch,
              seq: state.seq,
              feedSequence,
              formatVersion: rules.stateFormat,
              state: JSON.stringify(state),
            }),
          turns.withPermit,
        ),
      })
    }),
  )
}

/** Concurrent saves share one SQL statement. */
const SAVES_AT_ONCE = 32
