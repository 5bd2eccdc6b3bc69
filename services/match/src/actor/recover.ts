/**
 * Finds the newest state of a match and where FEED continues after it, from the checkpoint, FEED and LIVE, and from the
 * register if none of them describes the match. If records of FEED or LIVE are missing, the match starts a new epoch.
 */
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { type LoadedCheckpoint, MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Effect, Metric, Result, Stream } from "effect"
import { type Cursor, isAfter } from "./MatchPublisher.ts"
import type { MatchRun } from "./MatchRun.ts"

export const historiesLost = Metric.counter("matchpoint_match_histories_lost_total", {
  description: "Times a match started a new epoch because records of FEED or LIVE were missing",
  incremental: true,
})

/**
 * Reads the checkpoint of a match. If the database does not respond, the match does not wait for it. Instead, it folds
 * its events in the FEED stream from the first one. A match whose events are all still in FEED therefore starts without
 * delay.
 */
export const readCheckpoint = Effect.fnUntraced(function* ({ rules }: LiveGame, matchId: MatchId) {
  const checkpoints = yield* MatchCheckpoints
  const { checkpointTimeout } = yield* MatchConfig
  const checkpoint = yield* Effect.result(Effect.timeout(checkpoints.load(rules, matchId), checkpointTimeout))
  if (Result.isFailure(checkpoint)) {
    yield* Effect.logWarning(`${matchId}: cannot read the checkpoint; folding FEED from the start`, checkpoint.failure)
  }
  return checkpoint
})

/** A checkpoint, undefined if the match has none, or why it cannot be read. */
type Checkpoint = Effect.Success<ReturnType<typeof readCheckpoint>>

/** Brings a run, which starts from this checkpoint, to the newest state that FEED gives. */
export const recover = Effect.fnUntraced(function* (run: MatchRun, checkpoint: Checkpoint) {
  yield* compareWithLogs(run, checkpoint)
  yield* readFeed(run)
  yield* createAgainIfUnknown(run, checkpoint)
  yield* compareWithPublished(run, Result.getOrUndefined(checkpoint))
})

/**
 * Before FEED is read: history has been lost if FEED no longer contains all records after the checkpoint, or if LIVE is
 * another log than the one to which the state of the checkpoint was published.
 */
const compareWithLogs = Effect.fnUntraced(function* (run: MatchRun, checkpoint: Checkpoint) {
  const { beforeMove, bounds, publisher } = run.parts
  const { feedSequence, state } = run
  if (state === undefined) {
    if (publisher.published.epoch <= 1) return
    // FEED alone does not reproduce a match that has lost history before. The new epoch begins once FEED or the register
    // has given the match a state.
    if (Result.isFailure(checkpoint)) return yield* checkpoint.failure
    publisher.startFrom(publisher.published.epoch + 1)
  } else if (bounds.last < feedSequence || (yield* publisher.lacks(state))) {
    yield* startEpochAfter(run, state, `the log ends before the checkpoint: FEED at ${bounds.last} instead of ${feedSequence}`)
    run.moveTo(0)
  } else if (beforeMove === 0 && feedSequence + 1 < bounds.first) {
    yield* startEpochAfter(run, state, `FEED has dropped records from ${feedSequence + 1} to ${bounds.first - 1}`)
  }
})

/** Starts a new epoch before the remaining events of FEED are folded. */
const startEpochAfter = Effect.fnUntraced(function* (run: MatchRun, state: GameState, why: string) {
  const { publisher } = run.parts
  const epoch = Math.max(state.epoch, publisher.published.epoch) + 1
  yield* historyLost(run, epoch, why)
  // Without the lost events, the result of the remaining ones does not continue the earlier epochs.
  publisher.startFrom(epoch)
})

const readFeed = (run: MatchRun) => Stream.runForEachArray(run.parts.feed.read(run.from), (records) => run.take(records))

/** Starts the match again from the register if it is known to have begun, but FEED does not describe it. */
const createAgainIfUnknown = Effect.fnUntraced(function* (run: MatchRun, checkpoint: Checkpoint) {
  const { matchId, publisher, register, stamp } = run.parts
  const hasBegun = Result.getOrUndefined(checkpoint) !== undefined || publisher.published.seq > 0
  if (run.state !== undefined || !hasBegun) return
  // A checkpoint may exist that could not be loaded. The actor fails and is restarted until the database responds.
  if (Result.isFailure(checkpoint)) return yield* checkpoint.failure
  yield* Effect.logError(`${matchId}: neither the checkpoint nor FEED describes the match; starting it again from the register`)
  const created = yield* register.createdAgain(matchId, stamp())
  if (created === undefined) return
  yield* run.append(created)
  yield* readFeed(run)
})

/** After FEED has been read: history has been lost if the state does not reproduce what was published or stored. */
const compareWithPublished = Effect.fnUntraced(function* (run: MatchRun, stored: LoadedCheckpoint<GameState> | undefined) {
  const { bounds, publisher } = run.parts
  const { state } = run
  if (state === undefined) return
  if (isAfter(publisher.published, state)) {
    yield* historyLost(run, Math.max(state.epoch, publisher.published.epoch) + 1, "LIVE has records that do not follow from FEED")
  } else if (stored !== undefined && isRefused(state, bounds.last, stored)) {
    yield* historyLost(run, Math.max(state.epoch, stored.epoch) + 1, "the checkpoint is ahead of FEED")
  }
})

/**
 * Returns true if the stored checkpoint is ahead of this state, so that the database would reject a checkpoint of this
 * state. `last` is the sequence number of the last record of the FEED stream (incoming events).
 */
const isRefused = (state: GameState, last: number, stored: Cursor & { readonly feedSequence: number }): boolean =>
  isAfter(stored, state) || (!isAfter(state, stored) && last < stored.feedSequence)

const historyLost = Effect.fnUntraced(function* (run: MatchRun, epoch: number, why: string) {
  const { game, matchId, stamp } = run.parts
  yield* Effect.logWarning(`${matchId}: ${why}; starting epoch ${epoch}`)
  yield* Metric.update(historiesLost, 1)
  yield* run.append(game.rules.historyLost(matchId, epoch, stamp()))
})
