/**
 * Runs an actor for every announced match that is not over, and starts it again when it fails: with growing waits, the others
 * undisturbed. It owns the set of running matches; what happens in one is the actor's.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { decodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { allMatches, DIRECTORY } from "@matchpoint/contracts/bus/subjects"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { isOpenResult, Matches } from "@matchpoint/store/live/Matches"
import { Cause, Duration, Effect, FiberMap, Layer, Metric, Option, Stream } from "effect"
import type { LiveGame } from "./LiveGame.ts"
import { runMatch } from "./MatchActor.ts"
import { MatchConfig } from "./MatchConfig.ts"

export const matchesRunning = Metric.gauge("matchpoint_match_running", { description: "Matches with a running actor" })
export const matchRestarts = Metric.counter("matchpoint_match_restarts_total", {
  description: "Match actors started again after a failure",
  incremental: true,
})

const text = new TextDecoder()

/** An actor that ran this long counts as healthy: its next failure starts with the shortest wait again. */
const HEALTHY_AFTER = Duration.minutes(1)

/** Starts a match again and again until it is over. Only interruption ends it early. */
export const superviseMatch = Effect.fn("MatchSupervisor.superviseMatch")(function* (game: LiveGame, matchId: MatchId) {
  const { lostRestartAfter, restartAfter, restartAtMost } = yield* MatchConfig
  const first = Duration.fromInputUnsafe(restartAfter)
  let wait = first
  if (yield* isKnownToBeOver(matchId)) return
  while (true) {
    const [ran, exit] = yield* Effect.timed(Effect.exit(runMatch(game, matchId)))
    if (exit._tag === "Success") return
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    if (Duration.isGreaterThan(ran, HEALTHY_AFTER)) wait = first
    yield* Metric.update(matchRestarts, 1)
    const lost = Option.filter(Cause.findErrorOption(exit.cause), (error) => error._tag === "LostOwnership")
    if (Option.isSome(lost)) {
      // Another process runs it: come back later, in case that one ends.
      wait = Duration.max(wait, Duration.fromInputUnsafe(lostRestartAfter))
      yield* Effect.logWarning(`${lost.value.message}; this process looks again in ${Duration.format(wait)}`)
    } else yield* Effect.logError(`${matchId} failed; it starts again in ${Duration.format(wait)}`, exit.cause)
    yield* Effect.sleep(wait)
    wait = Duration.min(Duration.times(wait, 2), Duration.fromInputUnsafe(restartAtMost))
  }
})

/** What the register says saves folding a match that is over. A register that does not answer holds up no match. */
const isKnownToBeOver = Effect.fnUntraced(function* (matchId: MatchId) {
  const matches = yield* Matches
  const { checkpointTimeout } = yield* MatchConfig
  const row = yield* matches.find(matchId).pipe(
    Effect.timeout(checkpointTimeout),
    // A defect of the store too: nobody would start the match again.
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) =>
        Effect.as(Effect.logWarning(`${matchId}: the register does not answer; the match starts all the same`, cause), Option.none()),
    ),
  )
  return Option.isSome(row) && (row.value.status === "completed" || row.value.status === "cancelled") && !isOpenResult(row.value.result)
})

const supervise = Effect.fnUntraced(function* (games: ReadonlyMap<string, LiveGame>) {
  const log = yield* EventLog
  const unknown = new Set<string>()
  const running = yield* FiberMap.make<MatchId>()

  const start = Effect.fnUntraced(function* (matchId: MatchId) {
    if (yield* FiberMap.has(running, matchId)) return
    const name = gameOfMatch(matchId)
    const game = games.get(name)
    if (game === undefined) {
      if (unknown.has(name)) return
      unknown.add(name)
      return yield* Effect.logError(`${matchId} is announced, but this process runs no matches of ${name}`)
    }
    const actor = superviseMatch(game, matchId).pipe(Effect.onExit(() => Metric.modify(matchesRunning, -1)))
    yield* Metric.modify(matchesRunning, 1)
    yield* FiberMap.run(running, matchId, actor)
  })

  // Read from the first record after each failure: the matches that run already are known.
  yield* log.consume(DIRECTORY, allMatches, { _tag: "First" }).pipe(
    Stream.runForEach((record) =>
      decodeAnnouncement(text.decode(record.data)).pipe(
        Effect.matchEffect({
          onFailure: (error) => Effect.logWarning(`an announcement cannot be read (record ${record.sequence})`, error),
          onSuccess: ({ matchId }) => start(matchId),
        }),
      ),
    ),
    Effect.tapCause((cause) => Effect.logError("announcements cannot be followed; trying again", cause)),
    Effect.sandbox,
    resettingRetry({ firstMs: 200, longestMs: 10_000 }),
    Effect.forkScoped,
  )
})

export class MatchSupervisor {
  /** Runs all announced matches of these games for as long as the layer lives. */
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effectDiscard(supervise(new Map(games.map((game) => [game.rules.game, game]))))
}
