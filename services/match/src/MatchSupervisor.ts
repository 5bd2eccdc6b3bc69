/**
 * Runs one actor for every announced match that is not over. A failed actor is restarted with increasing delays and
 * without affecting other matches.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { decodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { allMatches, DIRECTORY } from "@matchpoint/contracts/bus/subjects"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { isOpenResult, Matches } from "@matchpoint/store/live/Matches"
import { Cause, Duration, Effect, FiberMap, Layer, Metric, Option, Stream } from "effect"
import { runMatch } from "./actor/MatchActor.ts"

export const matchesRunning = Metric.gauge("matchpoint_match_running", { description: "Matches with a running actor" })
export const matchRestarts = Metric.counter("matchpoint_match_restarts_total", {
  description: "Match actors restarted after a failure",
  incremental: true,
})

const text = new TextDecoder()

/** An actor that has run this long is healthy, and its restart delay is reset. */
const HEALTHY_AFTER = Duration.minutes(1)

/** Like `keepRunning`, unless the register shows that the match is over. */
export const superviseMatch = Effect.fn("MatchSupervisor.superviseMatch")(function* (game: LiveGame, matchId: MatchId) {
  if (!(yield* isKnownToBeOver(matchId))) yield* keepRunning(game, matchId)
})

/**
 * Runs a match and restarts it after each failure until the match is over. Otherwise, it ends only if interrupted. If
 * another process has taken over the match, it starts again when `mayReturn` has completed.
 */
export const keepRunning = Effect.fn("MatchSupervisor.keepRunning")(function* (
  game: LiveGame,
  matchId: MatchId,
  mayReturn: Effect.Effect<unknown> = Effect.void,
) {
  const { lostRestartAfter, restartAfter, restartAtMost } = yield* MatchConfig
  const first = Duration.fromInputUnsafe(restartAfter)
  let wait = first
  while (true) {
    const [ran, exit] = yield* Effect.timed(Effect.exit(runMatch(game, matchId)))
    if (exit._tag === "Success") return
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    if (Duration.isGreaterThan(ran, HEALTHY_AFTER)) wait = first
    yield* Metric.update(matchRestarts, 1)
    const lost = Option.filter(Cause.findErrorOption(exit.cause), (error) => error._tag === "LostOwnership")
    if (Option.isSome(lost)) {
      // Another process runs the match, but may stop.
      wait = Duration.max(wait, Duration.fromInputUnsafe(lostRestartAfter))
      yield* Effect.logWarning(`${lost.value.message}; this process tries again in ${Duration.format(wait)}`)
    } else yield* Effect.logError(`${matchId} failed; restarting in ${Duration.format(wait)}`, exit.cause)
    yield* Effect.sleep(wait)
    if (Option.isSome(lost)) yield* mayReturn
    wait = Duration.min(Duration.times(wait, 2), Duration.fromInputUnsafe(restartAtMost))
  }
})

/**
 * The register contains a final end of the match, so its events need not be folded again. False if the register does
 * not respond, because the match must start without waiting for it.
 */
const isKnownToBeOver = Effect.fnUntraced(function* (matchId: MatchId) {
  const matches = yield* Matches
  const { checkpointTimeout } = yield* MatchConfig
  const row = yield* matches.find(matchId).pipe(
    Effect.timeout(checkpointTimeout),
    // Defects of the database code, too: an uncaught one would prevent the start of the match.
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.as(Effect.logWarning(`${matchId}: the register does not respond; starting the match anyway`, cause), Option.none()),
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

  // After a failure, the announcements are read again from the first one. Matches that are already running are skipped.
  yield* log.consume(DIRECTORY, allMatches, { _tag: "First" }).pipe(
    Stream.runForEach((record) =>
      decodeAnnouncement(text.decode(record.data)).pipe(
        Effect.matchEffect({
          onFailure: (error) => Effect.logWarning(`ignored a malformed announcement (record ${record.sequence} of DIRECTORY)`, error),
          onSuccess: ({ matchId }) => start(matchId),
        }),
      ),
    ),
    Effect.tapCause((cause) => Effect.logError("cannot read announcements; retrying", cause)),
    Effect.sandbox,
    resettingRetry({ firstMs: 200, longestMs: 10_000 }),
    Effect.forkScoped,
  )
})

export class MatchSupervisor {
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effectDiscard(supervise(new Map(games.map((game) => [game.rules.game, game]))))
}
