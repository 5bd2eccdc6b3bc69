/**
 * Runs an actor for every announced match that is not over, and starts it again when it fails: with growing waits, the others
 * undisturbed. It owns the set of running matches; what happens in one is the actor's.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { decodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { allMatches, DIRECTORY } from "@matchpoint/contracts/bus/subjects"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { Matches } from "@matchpoint/store/Matches"
import { Cause, Duration, Effect, FiberMap, Layer, Metric, Option, Schedule, Stream } from "effect"
import { runMatch } from "./MatchActor.ts"
import { MatchConfig } from "./MatchConfig.ts"

export const matchesRunning = Metric.gauge("match_running", { description: "Matches with a running actor" })
export const matchRestarts = Metric.counter("match_restarts_total", {
  description: "Match actors started again after a failure",
  incremental: true,
})

const text = new TextDecoder()

/** An actor that ran this long counts as healthy: its next failure starts with the shortest wait again. */
const HEALTHY_AFTER = Duration.minutes(1)

/** Starts a match again and again until it is over. Only interruption ends it early. */
export const superviseMatch = Effect.fn("MatchSupervisor.superviseMatch")(function* (matchId: MatchId) {
  const { restartAfter, restartAtMost } = yield* MatchConfig
  const first = Duration.fromInputUnsafe(restartAfter)
  let wait = first
  while (true) {
    const [ran, exit] = yield* Effect.timed(Effect.exit(runMatch(matchId)))
    if (exit._tag === "Success") return
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    if (Duration.isGreaterThan(ran, HEALTHY_AFTER)) wait = first
    yield* Metric.update(matchRestarts, 1)
    yield* Effect.logError(`${matchId} failed; it starts again in ${Duration.format(wait)}`, exit.cause)
    yield* Effect.sleep(wait)
    wait = Duration.min(Duration.times(wait, 2), Duration.fromInputUnsafe(restartAtMost))
  }
})

const supervise = Effect.gen(function* () {
  const log = yield* EventLog
  const matches = yield* Matches
  const running = yield* FiberMap.make<MatchId>()

  const start = Effect.fnUntraced(function* (matchId: MatchId) {
    if (yield* FiberMap.has(running, matchId)) return
    const row = yield* matches.find(matchNumber(matchId))
    if (Option.isSome(row) && (row.value.status === "completed" || row.value.status === "cancelled")) return
    const actor = superviseMatch(matchId).pipe(Effect.onExit(() => Metric.modify(matchesRunning, -1)))
    yield* Metric.modify(matchesRunning, 1)
    yield* FiberMap.run(running, matchId, actor)
  })

  yield* log.consume(DIRECTORY, allMatches, { _tag: "First" }).pipe(
    Stream.runForEach((record) =>
      decodeAnnouncement(text.decode(record.data)).pipe(
        Effect.matchEffect({
          onFailure: (error) => Effect.logWarning(`an announcement cannot be read (record ${record.sequence})`, error),
          onSuccess: ({ matchId }) => start(matchId),
        }),
      ),
    ),
  )
}).pipe(
  Effect.scoped,
  Effect.tapCause((cause) => Effect.logError("the match supervisor failed; it starts again", cause)),
  Effect.sandbox,
  Effect.retry(Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])),
)

export class MatchSupervisor {
  /** Runs all matches for as long as the layer lives. */
  static readonly layer = Layer.effectDiscard(Effect.forkScoped(supervise))
}
