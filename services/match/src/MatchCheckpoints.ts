/**
 * Converts between match states and the checkpoint texts in the store. A checkpoint of an older format is migrated. If
 * that is impossible, the match is folded again from the start.
 */
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Semaphore } from "effect"
import type { LiveGame } from "./LiveGame.ts"

export interface LoadedCheckpoint<State> {
  /** State of the match, or undefined if this version cannot read the checkpoint's format. */
  readonly state: State | undefined
  /** Cursor of the state, present even if the state cannot be read. */
  readonly epoch: number
  readonly seq: number
  /** Sequence of the last FEED record that is folded into the state. */
  readonly feedSequence: number
}

export class MatchCheckpoints extends Context.Service<
  MatchCheckpoints,
  {
    readonly load: <State extends GameState>(
      rules: LiveGame<State>["rules"],
      matchId: MatchId,
    ) => Effect.Effect<LoadedCheckpoint<State> | undefined, StoreError>
    /** Saves a checkpoint. Returns false if the store holds a newer one, which means that another owner is ahead. */
    readonly save: (rules: LiveGame["rules"], state: GameState, feedSequence: number) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/service-match/MatchCheckpoints") {
  static readonly layer = Layer.effect(
    MatchCheckpoints,
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      // Limits concurrent saves. A store that is too slow for the number of matches then gets them in batches instead
      // of running into timeouts.
      const turns = yield* Semaphore.make(SAVES_AT_ONCE)
      return MatchCheckpoints.of({
        load: Effect.fn("MatchCheckpoints.load")(function* <State extends GameState>(rules: LiveGame<State>["rules"], matchId: MatchId) {
          const found = yield* checkpoints.load(matchId)
          if (Option.isNone(found)) return undefined
          const { epoch, feedSequence, formatVersion, seq, state } = found.value
          const read: unknown = JSON.parse(state)
          // A checkpoint in the current format was written by this service, so the parsed text is the state.
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

/** Concurrent saves, which share one SQL statement. */
const SAVES_AT_ONCE = 32
