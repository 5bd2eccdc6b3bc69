/** The end of a match: its last checkpoint, its result in the register, and the time in which late events still arrive. */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { doUnlessParked } from "@matchpoint/game/live/parking"
import { Deferred, Effect } from "effect"
import { publishEntry } from "./follow.ts"
import { ListEntry } from "./ListEntry.ts"
import { MatchPublisher } from "./MatchPublisher.ts"
import type { MatchRegister } from "./MatchRegister.ts"
import { hasEnded, isSettled, type MatchRun } from "./MatchRun.ts"
import { outlasting } from "./outages.ts"

/**
 * Waits for the end of the match, saves it, and continues while late events may arrive. If the result can still change
 * then, records it as open and waits until it is final.
 */
export const untilFinal = Effect.fnUntraced(function* (run: MatchRun) {
  const { checkpoints, game, matchId, register } = run.parts
  const { lingerAfterEnd } = yield* MatchConfig
  const save = outlasting(matchId, "cannot save the match", checkpoints.save)
  yield* Deferred.await(run.ended)
  yield* publishEntry(run)
  yield* save
  yield* Effect.sleep(lingerAfterEnd)
  const { state } = run
  if (state === undefined || isSettled(game, state)) return
  yield* outlasting(matchId, "cannot record the end", register.finish(state))
  yield* Deferred.await(run.settled)
  yield* save
})

/**
 * Saves the state when the actor ends. Has a timeout, so that the restart of a failed match is not delayed if the
 * database does not respond.
 */
export const saveLast = Effect.fnUntraced(function* (run: MatchRun) {
  const { checkpoints, matchId } = run.parts
  const { checkpointTimeout } = yield* MatchConfig
  yield* Effect.timeout(checkpoints.save, checkpointTimeout).pipe(
    Effect.catch((error) => Effect.logWarning(`${matchId}: cannot save the last state; the next start folds it again`, error)),
  )
})

/** Records the end of a match, if it has ended. */
export const finish = (register: MatchRegister, state: GameState | undefined) =>
  state === undefined || !hasEnded(state)
    ? Effect.void
    : outlasting(state.matchId, "cannot record the end", doUnlessParked(state.matchId, "result", register.finish(state)))

/**
 * Finishes a match that is over according to its checkpoint. An earlier owner may have stopped after its last checkpoint
 * but before it recorded the end in the match register, or before it published the last list entry.
 */
export const finishAgain = Effect.fnUntraced(function* (game: LiveGame, register: MatchRegister, state: GameState) {
  yield* finish(register, state)
  const { position } = yield* MatchPublisher.open(state.matchId)
  if (position > 0) yield* new ListEntry(yield* EventLog, state.matchId, game, game.encoder()).check(state, position)
})
