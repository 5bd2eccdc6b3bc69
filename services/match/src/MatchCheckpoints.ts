/** Checkpoints of match states: text in the store, states here. One of an older format is not read: its match is folded anew. */
import { type MatchState, STATE_FORMAT } from "@matchpoint/domain/cs2/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { Checkpoints } from "@matchpoint/store/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Semaphore } from "effect"

export class MatchCheckpoints extends Context.Service<
  MatchCheckpoints,
  {
    readonly load: (
      matchId: MatchId,
    ) => Effect.Effect<{ readonly state: MatchState; readonly feedSequence: number } | undefined, StoreError>
    readonly save: (state: MatchState, feedSequence: number) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/service-match/MatchCheckpoints") {
  static readonly layer = Layer.effect(
    MatchCheckpoints,
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      // A store that is slower than the matches are many gets them one after the other instead of timeouts.
      const turns = yield* Semaphore.make(SAVES_AT_ONCE)
      return MatchCheckpoints.of({
        load: Effect.fn("MatchCheckpoints.load")(function* (matchId: MatchId) {
          const found = yield* checkpoints.load(matchId)
          if (Option.isNone(found) || found.value.formatVersion !== STATE_FORMAT) return undefined
          return { state: readState(found.value.state), feedSequence: found.value.feedSequence }
        }),
        save: Effect.fn("MatchCheckpoints.save")(function* (state: MatchState, feedSequence: number) {
          const newest = yield* checkpoints.save({
            matchId: state.matchId,
            epoch: state.epoch,
            seq: state.seq,
            feedSequence,
            formatVersion: STATE_FORMAT,
            state: JSON.stringify(state),
          })
          if (!newest) yield* Effect.logWarning(`${state.matchId}: a newer checkpoint is stored; another owner is ahead`)
        }, turns.withPermit),
      })
    }),
  )
}

const SAVES_AT_ONCE = 4

/** We wrote it, in this format: the text is the state. */
const readState = (text: string): MatchState => JSON.parse(text)
