/**
 * Runs one live match. Reads the match's events from the FEED stream (incoming events), folds them into the match
 * state, publishes each change to the LIVE stream (published changes) once, saves checkpoints and monitors the match's
 * feeds. Every change of a match arrives through FEED; the actor adds no data of its own. Publishing a change never
 * waits for the database.
 *
 * Other modules decide which matches run (`MatchSupervisor`), which clients receive them (the gateway) and what a match
 * consists of (`LiveGame`).
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import type { GameState, SilenceLimits } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { type LoadedCheckpoint, MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig, type MatchSettings } from "@matchpoint/game/live/MatchConfig"
import { Matches } from "@matchpoint/store/live/Matches"
import { Clock, Duration, Effect, Result } from "effect"
import { WebhookOutbox } from "../webhooks/WebhookOutbox.ts"
import { CheckpointWriter } from "./CheckpointWriter.ts"
import { FeedWatch } from "./FeedWatch.ts"
import { finish, finishAgain, saveLast, untilFinal } from "./finish.ts"
import { drawPhases, follow } from "./follow.ts"
import { ListEntry } from "./ListEntry.ts"
import { type MatchFeed, MatchFeeds } from "./MatchFeeds.ts"
import { MatchPublisher } from "./MatchPublisher.ts"
import { MatchRegister } from "./MatchRegister.ts"
import { isSettled, MatchRun } from "./MatchRun.ts"
import { positionBeforeMove } from "./movedFacts.ts"
import { readCheckpoint, recover } from "./recover.ts"

/**
 * Runs a match until it ends. Fails with a log error if the log does not respond, or with `LostOwnership` if another
 * process owns the match. A restart continues where the previous run stopped.
 */
export const runMatch = Effect.fn("MatchActor.run")(
  function* (game: LiveGame, matchId: MatchId) {
    const feed = (yield* MatchFeeds).open(yield* EventLog, matchId)
    const register = new MatchRegister(yield* Matches, game)
    const checkpoint = yield* readCheckpoint(game, matchId)
    const stored = Result.getOrUndefined(checkpoint)
    if (stored?.state !== undefined && isSettled(game, stored.state)) {
      yield* feed.end
      return yield* finishAgain(game, register, stored.state)
    }
    const run = yield* openRun({ game, matchId, feed, register }, stored)
    const phases = yield* drawPhases
    yield* recover(run, checkpoint)
    // Handles a match that had already ended before this process started.
    yield* run.settle
    yield* follow(run, phases, untilFinal(run)).pipe(Effect.ensuring(saveLast(run)))
    yield* finish(register, run.state)
  },
  Effect.annotateLogs({ service: "match" }),
)

interface OpenedMatch {
  readonly game: LiveGame
  readonly matchId: MatchId
  readonly feed: MatchFeed
  readonly register: MatchRegister
}

/** Opens a run that starts from the stored checkpoint. Call it after the checkpoint was read. */
const openRun = Effect.fnUntraced(function* (match: OpenedMatch, stored: LoadedCheckpoint<GameState> | undefined) {
  const { feed, game, matchId } = match
  const log = yield* EventLog
  const settings = yield* MatchConfig
  const clock = yield* Clock.Clock
  const feedSequence = stored?.state === undefined ? 0 : stored.feedSequence
  // The bounds must not be older than the checkpoint.
  const [publisher, bounds] = yield* Effect.all([MatchPublisher.open(matchId), feed.bounds], { concurrency: 2 })
  const outbox = (yield* WebhookOutbox).open(game, matchId)
  const checkpoints = yield* MatchCheckpoints
  const encoder = game.encoder()
  const monotonic = monotonicOf(clock)
  const stamp = () => Math.floor(clock.currentTimeMillisUnsafe())
  const watchdog = game.rules.watchdog?.(stored?.state, silenceLimits(settings), monotonic())
  const run: MatchRun = new MatchRun(
    {
      ...match,
      log,
      bounds,
      publisher,
      encoder,
      outbox,
      stamp,
      rejections: yield* Rejections,
      metrics: yield* Effect.context<never>(),
      beforeMove: yield* positionBeforeMove(feed, feedSequence, bounds.first),
      entry: new ListEntry(log, matchId, game, encoder),
      checkpoints: new CheckpointWriter(checkpoints, game.rules, () => run.newest(), stored, outbox?.flush),
      watch: new FeedWatch({ log, matchId, monotonic, stamp, watchdog }),
    },
    stored?.state,
    feedSequence,
  )
  return run
})

const silenceLimits = (settings: MatchSettings): SilenceLimits => ({
  quietAfterMs: Duration.toMillis(settings.quietAfter),
  staleAfterMs: Duration.toMillis(settings.staleAfter),
  interruptedAfterMs: Duration.toMillis(settings.interruptedAfter),
  cancelAfterMs: Duration.toMillis(settings.cancelAfter),
})
