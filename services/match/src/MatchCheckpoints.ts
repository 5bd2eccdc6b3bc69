/** Checkpoints of match states: text in the store, states here. One of an older format is migrated; if it cannot be, its match is folded anew. */
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Semaphore } from "effect"
import type { LiveGame } from "./LiveGame.ts"

export interface LoadedCheckpoint<State> {
  /** Undefined: of a format that this version cannot read. */
  readonly state: State | undefined
  /** The position of the state, whether or not it can be read. */
  readonly epoch: number
  readonly seq: number
  /** The last record of FEED that is folded into it. */
  readonly feedSequence: number
}

export class MatchCheckpoints extends Context.Service<
  MatchCheckpoints,
  {
    readonly load: <State extends GameState>(
      rules: LiveGame<State>["rules"],
      matchId: MatchId,
    ) => Effect.Effect<LoadedCheckpoint<State> | undefined, StoreError>
    /** False: a newer checkpoint is stored, so another owner is ahead. */
    readonly save: (rules: LiveGame["rules"], state: GameState, feedSequence: number) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/service-match/MatchCheckpoints") {
  static readonly layer = Layer.effect(
    MatchCheckpoints,
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      // A store that is slower than the matches are many gets them in batches, one after the other, instead of timeouts.
      const turns = yield* Semaphore.make(SAVES_AT_ONCE)
      return MatchCheckpoints.of({
        load: Effect.fn("MatchCheckpoints.load")(function* <State extends GameState>(rules: LiveGame<State>["rules"], matchId: MatchId) {
          const found = yield* checkpoints.load(matchId)
          if (Option.isNone(found)) return undefined
          const { epoch, feedSequence, formatVersion, seq, state } = found.value
          const read: unknown = JSON.parse(state)
          // We wrote it, in this format: the text is the state.
          if (formatVersion === rules.stateFormat) return { state: read as State, epoch, seq, feedSequence }
          const migrated = rules.migrate?.(formatVersion, read)
          if (migrated === undefined) {
            yield* Effect.logError(`${matchId}: its checkpoint has format ${formatVersion}, which this version cannot read`)
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

/** Saves of one turn, which share a statement. */
const SAVES_AT_ONCE = 32
