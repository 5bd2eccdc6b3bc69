/**
 * The matches that have to run, by partition: from the register, and from DIRECTORY while this process runs. So a
 * process starts from the matches that are not over, and not from all announcements that have ever been made.
 */
import { EventLog, type From, type LogError } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { decodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { allMatches, DIRECTORY, partitionOf } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { Matches } from "@matchpoint/store/live/Matches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Cause, Context, Effect, Layer, Schedule, type Scope, Stream } from "effect"
import { coalesced } from "./coalesced.ts"

const text = new TextDecoder()

const REPEATED = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

/** True if announcements may be lost: the stream has dropped them, or is another one. */
const lostSome = ({ reason }: LogError): boolean => reason === "Dropped" || reason === "HistoryLost"

export class UnsettledMatches extends Context.Service<
  UnsettledMatches,
  {
    /**
     * Returns the matches of a partition that are not over. Until the scope closes, calls `onAnnounced` with each match
     * of the partition that is announced. A match may be both returned and passed to `onAnnounced`.
     */
    readonly follow: (
      partition: number,
      onAnnounced: (matchId: MatchId) => void,
    ) => Effect.Effect<ReadonlyArray<MatchId>, StoreError, Scope.Scope>
  }
>()("@matchpoint/service-match/placement/UnsettledMatches") {
  static readonly layer = Layer.effect(
    UnsettledMatches,
    Effect.gen(function* () {
      const log = yield* EventLog
      const matches = yield* Matches
      const listeners = new Map<number, (matchId: MatchId) => void>()

      // The position is read before any list of matches. A match is registered before it is announced, so each match is
      // in the list or in a later announcement.
      let position = (yield* Effect.retry(log.bounds(DIRECTORY), { times: 5, schedule: Schedule.exponential("200 millis") })).last
      const announced = (matchId: MatchId): void => listeners.get(partitionOf(matchId))?.(matchId)
      const fromHere = (): From => (position === 0 ? { _tag: "First" } : { _tag: "After", sequence: position })
      /** Reads all existing announcements again. Those of other matches that have to run may be lost; the register has them. */
      const startOver = Effect.suspend(() => {
        position = 0
        return Effect.map(matches.listUnsettled, (ids) => ids.forEach(announced))
      })
      yield* Stream.suspend(() => log.consume(DIRECTORY, allMatches, fromHere())).pipe(
        Stream.runForEach((record) => {
          position = record.sequence
          return decodeAnnouncement(text.decode(record.data)).pipe(
            Effect.matchEffect({
              onFailure: (error) => Effect.logWarning(`ignored a malformed announcement (record ${record.sequence} of DIRECTORY)`, error),
              onSuccess: ({ matchId }) => Effect.sync(() => announced(matchId)),
            }),
          )
        }),
        Effect.tapError((error) => (lostSome(error) ? Effect.retry(startOver, REPEATED) : Effect.void)),
        Effect.tapCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          (cause) => Effect.logError("cannot read announcements; retrying", cause),
        ),
        Effect.sandbox,
        resettingRetry({ firstMs: 200, longestMs: 10_000 }),
        Effect.forkScoped,
      )

      // A process takes over many partitions at the same moment, which share one query.
      const byPartition = yield* coalesced(Effect.map(matches.listUnsettled, (ids) => Map.groupBy(ids, partitionOf)))

      return UnsettledMatches.of({
        follow: Effect.fnUntraced(function* (partition, onAnnounced) {
          yield* Effect.acquireRelease(
            Effect.sync(() => listeners.set(partition, onAnnounced)),
            () => Effect.sync(() => listeners.delete(partition)),
          )
          return (yield* byPartition).get(partition) ?? []
        }),
      })
    }),
  )
}
