/**
 * Runs the matches of the partitions that this process owns. Which partitions these are is decided elsewhere
 * (`Placement`).
 *
 * Ownership is kept in the database. If the database does not respond when ownership ends, no other process can take over
 * either, so the matches continue. They stop when the database responds again and ownership has not come back, or when
 * another process is ahead in the LIVE stream. An owner that was cut off from the database alone therefore does no harm: the
 * log rejects its records as soon as there is a new owner.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { Rejections } from "@matchpoint/bus/Rejections"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { FEED } from "@matchpoint/contracts/bus/subjects"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { DatabaseProbe } from "@matchpoint/store/database/DatabaseProbe"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { Matches } from "@matchpoint/store/live/Matches"
import type { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { Cause, Context, Effect, FiberMap, Layer, Metric, Option, Queue, Schedule, type Scope } from "effect"
import type { LiveGame } from "../LiveGame.ts"
import type { MatchCheckpoints } from "../MatchCheckpoints.ts"
import { MatchFeeds } from "../MatchFeeds.ts"
import { keepRunning, matchesRunning } from "../MatchSupervisor.ts"
import { coalesced } from "./coalesced.ts"
import { openPartitionFeed } from "./PartitionFeed.ts"
import { UnsettledMatches } from "./UnsettledMatches.ts"

export const partitionsOwned = Metric.gauge("matchpoint_match_partitions", { description: "Partitions that this process owns" })
export const partitionsKept = Metric.gauge("matchpoint_match_partitions_kept", {
  description: "Partitions whose matches continue although the database, which keeps the ownership, does not respond",
})

/** How long the database may take to show that it responds. */
const DATABASE_ANSWERS_WITHIN = "500 millis"
/** How often an owner without a database checks whether it responds again. */
const ASK_AGAIN_EVERY = "500 millis"
/** How long ownership may take to come back after the database responds again. */
const OWNERSHIP_RETURNS_WITHIN = "5 seconds"

export class PartitionHost extends Context.Service<
  PartitionHost,
  {
    /** Runs the matches of a partition until the scope closes. The matches save their checkpoints before the scope is closed. */
    readonly own: (partition: number) => Effect.Effect<void, never, Scope.Scope>
    /** True if this process runs the matches of the partition. */
    readonly owns: (partition: number) => boolean
  }
>()("@matchpoint/service-match/placement/PartitionHost") {
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effect(PartitionHost, makeHost(new Map(games.map((game) => [game.rules.game, game])))).pipe(Layer.provide(UnsettledMatches.layer))
}

const makeHost = Effect.fnUntraced(function* (games: ReadonlyMap<string, LiveGame>) {
  const services = yield* Effect.context<EventLog | MatchCheckpoints | Matches | ParkedMatches | Rejections>()
  const log = yield* EventLog
  const probe = yield* DatabaseProbe
  const checkpoints = yield* Checkpoints
  const unsettled = yield* UnsettledMatches
  const bounds = yield* coalesced(log.bounds(FEED))
  /** The partitions whose matches run. The value is true while this process is known to own the partition. */
  const owned = new Map<number, boolean>()
  const running = yield* FiberMap.make<number>()
  const leaving = yield* FiberMap.make<number>()

  const report = Effect.suspend(() => {
    const known = [...owned.values()].filter((isOwned) => isOwned).length
    return Effect.andThen(Metric.update(partitionsOwned, known), Metric.update(partitionsKept, owned.size - known))
  })

  const runPartition = Effect.fnUntraced(
    function* (partition: number) {
      // The queue needs no bound: it holds the matches announced while the statements below run.
      const announced = yield* Queue.unbounded<MatchId>()
      const active = yield* unsettled.follow(partition, (matchId) => Queue.offerUnsafe(announced, matchId))
      const positions = yield* checkpoints.positions(active)
      const feed = yield* openPartitionFeed({
        log,
        partition,
        bounds,
        positions: new Map(active.flatMap((matchId) => (positions.has(matchId) ? [[matchId, positions.get(matchId) ?? 0]] : []))),
      })
      const actors = yield* FiberMap.make<MatchId>()
      const start = Effect.fnUntraced(function* (matchId: MatchId) {
        if (yield* FiberMap.has(actors, matchId)) return
        const game = games.get(gameOfMatch(matchId))
        if (game === undefined) return yield* Effect.logError(`${matchId} is to run, but this process runs no matches of its game`)
        yield* Metric.modify(matchesRunning, 1)
        const actor = keepRunning(game, matchId, () => owned.get(partition) === true).pipe(
          Effect.provideService(MatchFeeds, { open: (_log, id) => feed.of(id) }),
          Effect.onExit(() => Metric.modify(matchesRunning, -1)),
        )
        yield* FiberMap.run(actors, matchId, actor)
      })
      yield* Effect.forEach(active, start, { discard: true })
      return yield* Queue.take(announced).pipe(Effect.flatMap(start), Effect.forever)
    },
    Effect.scoped,
    (effect, partition) =>
      effect.pipe(
        Effect.tapCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          (cause) => Effect.logWarning(`partition ${partition} cannot start; retrying`, cause),
        ),
        Effect.sandbox,
        resettingRetry({ firstMs: 100, longestMs: 2_000 }),
        Effect.provideContext(services),
      ),
  )

  const take = Effect.fnUntraced(function* (partition: number) {
    owned.set(partition, true)
    yield* FiberMap.remove(leaving, partition)
    yield* FiberMap.run(running, partition, runPartition(partition), { onlyIfMissing: true })
    yield* report
  })

  const stop = Effect.fnUntraced(function* (partition: number) {
    owned.delete(partition)
    yield* FiberMap.remove(running, partition)
    yield* report
  })

  // Many partitions end at the same moment. They share one question.
  const databaseAnswers = yield* coalesced(
    probe.check.pipe(
      Effect.timeoutOption(DATABASE_ANSWERS_WITHIN),
      Effect.catch(() => Effect.succeedNone),
      Effect.map(Option.isSome),
    ),
  )

  const giveBack = Effect.fnUntraced(function* (partition: number) {
    if (yield* databaseAnswers) return yield* stop(partition)
    owned.set(partition, false)
    yield* report
    yield* Effect.logWarning(`the database does not respond; the matches of partition ${partition} continue`)
    const leave = databaseAnswers.pipe(
      Effect.repeat({ until: (answers) => answers, schedule: Schedule.spaced(ASK_AGAIN_EVERY) }),
      Effect.andThen(Effect.sleep(OWNERSHIP_RETURNS_WITHIN)),
      Effect.andThen(stop(partition)),
    )
    yield* FiberMap.run(leaving, partition, leave)
  })

  return PartitionHost.of({
    own: (partition) => Effect.acquireRelease(take(partition), () => giveBack(partition)),
    owns: (partition) => owned.has(partition),
  })
})
