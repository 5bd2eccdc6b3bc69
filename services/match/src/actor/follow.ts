/**
 * Follows a match: folds and publishes its events as they arrive, and beside that saves it, keeps it readable in LIVE and
 * listed, and watches its feeds.
 */
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { MatchConfig, type MatchSettings } from "@matchpoint/game/live/MatchConfig"
import { Duration, Effect, Option, Random, Stream } from "effect"
import { KeyframeRepeater } from "./KeyframeRepeater.ts"
import { isAfter } from "./MatchPublisher.ts"
import { isSettled, type MatchRun } from "./MatchRun.ts"
import { tryAgain } from "./outages.ts"

/**
 * When a match begins its checks, as parts (0 to 1) of their intervals. The matches of a takeover check at different
 * times, and not while they begin.
 */
export interface Phases {
  readonly keepReadable: number
  readonly keepListed: number
}

export const drawPhases: Effect.Effect<Phases> = Effect.gen(function* () {
  return { keepReadable: yield* Random.next, keepListed: yield* Random.next }
})

/**
 * Follows a recovered match until `end` completes. Fails with a log error if the log does not respond, or with
 * `LostOwnership` if another process owns the match.
 */
export const follow = Effect.fnUntraced(function* <E, R>(run: MatchRun, phases: Phases, end: Effect.Effect<void, E, R>) {
  const settings = yield* MatchConfig
  yield* Effect.raceAllFirst([
    Stream.runForEachArray(run.parts.feed.consume(run.from), (records) => run.take(records)),
    end,
    keepRecords(run, settings),
    notePosition(run, settings),
    keepReadable(run, settings, phases),
    keepListed(run, settings, phases),
    watchFeeds(run, settings),
  ])
})

const keepRecords = (run: MatchRun, { checkpointEvery }: MatchSettings) => {
  const { checkpoints, matchId, register } = run.parts
  return Effect.suspend(() => (run.state === undefined ? Effect.void : Effect.andThen(register.follow(run.state), checkpoints.save))).pipe(
    // A checkpoint that could not be saved does not stop the match. The only consequence is that more records must be
    // folded at the next start.
    Effect.catchTag("StoreError", tryAgain(matchId, "cannot save the match")),
    Effect.delay(checkpointEvery),
    Effect.forever,
  )
}

/**
 * Saves the position of a match without new events. FEED may drop records up to it.
 *
 * Reads the newest sequence number of the FEED stream (`newest`) before the sequence number of this match's last record
 * (`own`). Once the match has applied `own`, it has then seen all of its records up to `newest`. In the opposite order, a
 * record of this match could arrive between the two reads and wrongly count as applied.
 */
const notePosition = (run: MatchRun, { notePositionEvery }: MatchSettings) => {
  const { checkpoints, log, matchId } = run.parts
  const retried = tryAgain(matchId, "cannot save the position in FEED")
  return Effect.gen(function* () {
    const { last: newest } = yield* log.bounds(FEED)
    const own = yield* log.last(FEED, feedSubject(matchId))
    const isFolded = Option.isNone(own) || own.value.sequence <= run.feedSequence
    if (!isFolded || run.state === undefined || newest <= run.feedSequence) return
    run.moveTo(newest)
    yield* checkpoints.saveSequence
  }).pipe(Effect.catchTags({ LogError: retried, StoreError: retried }), Effect.delay(notePositionEvery), Effect.forever)
}

const keepReadable = (run: MatchRun, { keepReadableEvery }: MatchSettings, phases: Phases) => {
  const { encoder, game, log, matchId, publisher } = run.parts
  const repeater = new KeyframeRepeater(log, matchId, encoder)
  return Effect.suspend(() => {
    const { state } = run
    if (state === undefined || isSettled(game, state) || isAfter(publisher.published, state)) return Effect.void
    return Effect.map(repeater.check(state), (sequence) => {
      if (sequence !== undefined) publisher.goOnFrom(sequence)
    })
  }).pipe(
    (check) => run.inTurn(check),
    // If appending a repeated keyframe fails without a response, it is unknown whether the log contains the repeat. The
    // actor then fails on purpose: when it is restarted, it reads the match's newest record from the log and continues
    // after it.
    Effect.catchIf(
      (error) => error.operation !== "append" || !error.retryable,
      (error) => Effect.logWarning(`${matchId}: cannot check whether LIVE still has the match`, error),
    ),
    Effect.delay(keepReadableEvery),
    Effect.forever,
    Effect.delay(Duration.toMillis(keepReadableEvery) * phases.keepReadable),
  )
}

const keepListed = (run: MatchRun, { listEvery }: MatchSettings, phases: Phases) =>
  publishEntry(run).pipe(
    Effect.andThen(Effect.sleep(listEvery)),
    Effect.forever,
    Effect.delay(Duration.toMillis(listEvery) * phases.keepListed),
  )

/** Publishes the list entry if it is due and the state is the newest in LIVE. */
export const publishEntry = (run: MatchRun): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { entry, publisher } = run.parts
    const { state } = run
    return state === undefined || isAfter(state, publisher.published) || isAfter(publisher.published, state)
      ? Effect.void
      : entry.check(state, publisher.position)
  }).pipe(Effect.catch((error) => Effect.logDebug(`${run.parts.matchId}: cannot publish its list entry; the next check retries`, error)))

const watchFeeds = (run: MatchRun, { watchEvery }: MatchSettings) => {
  const { matchId, watch } = run.parts
  return watch.check(run.newest).pipe(
    Effect.flatMap((event) => {
      if (event === undefined) return Effect.void
      return Effect.andThen(
        Effect.logInfo(`${matchId}: the watchdog reports ${JSON.stringify(event.payload).slice(0, 200)}`),
        run.append(event),
      )
    }),
    Effect.catch((error) => Effect.logWarning(`${matchId}: the watchdog cannot append its event`, error)),
    Effect.delay(watchEvery),
    Effect.forever,
  )
}
