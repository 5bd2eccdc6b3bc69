/**
 * Runs the matches of the partitions that this process owns, which `Placement` decides. A match that another process
 * has taken over waits here until the database confirms that this process still owns its partition.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { Rejections } from "@matchpoint/bus/Rejections"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { Ownership } from "@matchpoint/cluster/Ownership"
import { FEED, partitionOf } from "@matchpoint/contracts/bus/subjects"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import type { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { Matches } from "@matchpoint/store/live/Matches"
import type { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { Cause, Context, Effect, FiberMap, Layer, Metric, Queue, Schedule, type Scope } from "effect"
import { MatchFeeds } from "../actor/MatchFeeds.ts"
import { keepRunning, matchesRunning } from "../MatchSupervisor.ts"
import { coalesced } from "./coalesced.ts"
import { openPartitionFeed, type PartitionFeed } from "./PartitionFeed.ts"
import { UnsettledMatches } from "./UnsettledMatches.ts"

export const partitionsOwned = Metric.gauge("matchpoint_match_partitions", { description: "Partitions that this process owns" })

/** Interval at which a match that another process has taken over checks who owns its partition. */
const CHECK_OWNERSHIP_EVERY = "100 millis"

export class PartitionHost extends Context.Service<
  PartitionHost,
  {
    /** Runs the matches of a partition until the scope closes. They save their checkpoints before. */
    readonly own: (partition: number) => Effect.Effect<void, never, Scope.Scope>
    readonly owns: (partition: number) => boolean
    /** See `PartitionFeed`. Also undefined if this process does not run the match. */
    readonly deliveredAfter: PartitionFeed["deliveredAfter"]
    /** Waiting times of all matches that this process runs. */
    readonly waitsMs: PartitionFeed["waitsMs"]
  }
>()("@matchpoint/service-match/placement/PartitionHost") {
  static readonly layer = (games: ReadonlyArray<LiveGame>) =>
    Layer.effect(PartitionHost, makeHost(new Map(games.map((game) => [game.rules.game, game])))).pipe(Layer.provide(UnsettledMatches.layer))
}

const makeHost = Effect.fnUntraced(function* (games: ReadonlyMap<string, LiveGame>) {
  const services = yield* Effect.context<EventLog | MatchCheckpoints | Matches | ParkedMatches | Rejections>()
  const log = yield* EventLog
  const checkpoints = yield* Checkpoints
  const unsettled = yield* UnsettledMatches
  const bounds = yield* coalesced(log.bounds(FEED))
  const running = yield* FiberMap.make<number>()
  const feeds = new Map<number, PartitionFeed>()
  const ownership = yield* Ownership
  const confirmed = Effect.sync(ownership.isConfirmed).pipe(
    Effect.repeat({ until: (isConfirmed) => isConfirmed, schedule: Schedule.spaced(CHECK_OWNERSHIP_EVERY) }),
  )

  const runPartition = Effect.fnUntraced(
    function* (partition: number) {
      // Needs no bound: it holds the matches announced while the statements below run.
      const announced = yield* Queue.unbounded<MatchId>()
      const active = yield* unsettled.follow(partition, (matchId) => Queue.offerUnsafe(announced, matchId))
      const positions = yield* checkpoints.positions(active)
      const feed = yield* openPartitionFeed({
        log,
        partition,
        bounds,
        positions: new Map(active.flatMap((matchId) => (positions.has(matchId) ? [[matchId, positions.get(matchId) ?? 0]] : []))),
      })
      yield* Effect.acquireRelease(
        Effect.sync(() => feeds.set(partition, feed)),
        () => Effect.sync(() => feeds.delete(partition)),
      )
      const actors = yield* FiberMap.make<MatchId>()
      const start = Effect.fnUntraced(function* (matchId: MatchId) {
        if (yield* FiberMap.has(actors, matchId)) return
        const game = games.get(gameOfMatch(matchId))
        if (game === undefined) return yield* Effect.logError(`${matchId} is to run, but this process runs no matches of its game`)
        yield* Metric.modify(matchesRunning, 1)
        const actor = keepRunning(game, matchId, confirmed).pipe(
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

  const report = Effect.flatMap(FiberMap.size(running), (count) => Metric.update(partitionsOwned, count))

  return PartitionHost.of({
    own: (partition) =>
      Effect.acquireRelease(Effect.andThen(FiberMap.run(running, partition, runPartition(partition)), report), () =>
        Effect.andThen(FiberMap.remove(running, partition), report),
      ),
    owns: (partition) => FiberMap.hasUnsafe(running, partition),
    waitsMs: () => [...feeds.values()].flatMap((feed) => feed.waitsMs()),
    deliveredAfter: (matchId, sequence) => feeds.get(partitionOf(matchId))?.deliveredAfter(matchId, sequence),
  })
})
