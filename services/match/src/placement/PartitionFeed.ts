/**
 * The facts of one partition, read from FEED with one consumer. So taking over a partition costs the same number of
 * requests to the log server, however many matches it has. A record goes to the buffer of its match (`FeedTap`), so a
 * slow match does not slow down the others.
 */
import type { EventLog, From, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { FEED, feedOfPartition, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Array as Arr, Cause, Clock, Effect, Option, type Scope, Stream } from "effect"
import type { MatchFeed } from "../actor/MatchFeeds.ts"
import { DeliveredRecords } from "./DeliveredRecords.ts"
import { FeedTap } from "./FeedTap.ts"

export interface PartitionFeedOptions {
  readonly log: EventLog["Service"]
  readonly partition: number
  /**
   * Positions of the checkpoints of the matches that this process takes over. Later records are read with the shared
   * consumer. A match without a checkpoint is not listed here and reads its first records itself.
   */
  readonly positions: ReadonlyMap<MatchId, number>
  /** Several partitions may share this effect. */
  readonly bounds: MatchFeed["bounds"]
}

export interface PartitionFeed {
  readonly of: (matchId: MatchId) => MatchFeed
  /**
   * Sequences of the match's records after `sequence` that have been read. Undefined if some of the records that
   * existed when the match began here may be missing.
   */
  readonly deliveredAfter: (matchId: MatchId, sequence: number) => ReadonlyArray<number> | undefined
  /** Waiting time of each match's oldest record in milliseconds, 0 if none is waiting. */
  readonly waitsMs: () => ReadonlyArray<number>
}

/** Opens a feed that is read until the scope closes. */
export const openPartitionFeed = Effect.fnUntraced(function* ({
  bounds,
  log,
  partition,
  positions,
}: PartitionFeedOptions): Effect.fn.Return<PartitionFeed, LogError, Scope.Scope> {
  const filter = feedOfPartition(partition)
  const monotonic = monotonicOf(yield* Clock.Clock)
  /** Every record of the partition up to this sequence has been passed on. */
  let position = Math.min((yield* bounds).last, ...positions.values())
  /** Buffers by subject. */
  const taps = new Map([...positions.keys()].map((matchId) => [feedSubject(matchId), new FeedTap(position)]))

  const delivered = new DeliveredRecords()
  /** Subjects of the matches that have read all records that existed when they began. */
  const caughtUp = new Set<string>()

  const passOn = (records: ReadonlyArray<LogRecord>): void => {
    const now = monotonic()
    for (const record of records) {
      if (record.sequence <= position) continue
      position = record.sequence
      taps.get(record.subject)?.offer(record, now)
      delivered.add(record)
    }
  }
  const fromHere = (): From => (position === 0 ? { _tag: "First" } : { _tag: "After", sequence: position })

  const failAll = (error: LogError) =>
    Effect.sync(() => {
      for (const tap of taps.values()) tap.fail(error)
      taps.clear()
      delivered.clear()
      caughtUp.clear()
    })

  /**
   * After a failure, each match finds out itself which records it lacks. No match reads across the hole: those that
   * start before the new position is known start once more.
   */
  const startOver = (error: LogError) =>
    failAll(error).pipe(
      Effect.andThen(
        bounds.pipe(
          Effect.tapError((cause) => Effect.logWarning(`the end of FEED is unknown; partition ${partition} waits for it`, cause)),
          resettingRetry({ firstMs: 100, longestMs: 5_000 }),
        ),
      ),
      Effect.tap(({ last }) => {
        position = last
        return failAll(error)
      }),
    )

  yield* Effect.suspend(() =>
    log.consume(FEED, filter, fromHere()).pipe(Stream.runForEachArray((records) => Effect.sync(() => passOn(records)))),
  ).pipe(
    Effect.tapError(startOver),
    Effect.tapCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logError(`cannot read the facts of partition ${partition}; retrying`, cause),
    ),
    Effect.sandbox,
    resettingRetry({ firstMs: 100, longestMs: 5_000 }),
    Effect.forkScoped,
  )

  const end = (subject: string): void => {
    taps.delete(subject)
    delivered.forget(subject)
    caughtUp.delete(subject)
  }

  const feedOf = (matchId: MatchId): MatchFeed => {
    const subject = feedSubject(matchId)
    const tapOf = (): FeedTap => {
      const tap = taps.get(subject) ?? new FeedTap(position)
      taps.set(subject, tap)
      return tap
    }
    /** `fromTap` gets the buffer, and the sequence up to which the match has read. An empty answer ends the stream. */
    const records = (from: From, fromTap: (tap: FeedTap, reached: number) => FeedTap["take"]): Stream.Stream<LogRecord, LogError> =>
      Stream.suspend(() => {
        const tap = tapOf()
        let reached = from._tag === "After" ? from.sequence : 0
        let overflowed = false
        const missing = tap.continues(reached) ? Stream.empty : log.read(FEED, subject, from)
        const pull = Effect.suspend(() => fromTap(tap, reached)).pipe(
          Effect.flatMap((found) => {
            overflowed = found === "overflowed"
            return found !== "overflowed" && Arr.isReadonlyArrayNonEmpty(found) ? Effect.succeed(found) : Cause.done()
          }),
        )
        const isNew = (record: LogRecord): boolean => {
          if (record.sequence <= reached) return false
          reached = record.sequence
          return true
        }
        return Stream.concat(missing, Stream.fromPull(Effect.succeed(pull))).pipe(
          Stream.filter(isNew),
          Stream.concat(
            Stream.suspend(() => {
              if (!overflowed) return Stream.empty
              if (taps.get(subject) === tap) taps.delete(subject)
              return records({ _tag: "After", sequence: reached }, fromTap)
            }),
          ),
        )
      })
    return {
      bounds,
      read: (from) =>
        Stream.unwrap(
          Effect.gen(function* () {
            // The buffer is opened before the log is asked, so that it receives every later record.
            tapOf()
            const newest = Option.match(yield* log.last(FEED, subject), { onNone: () => 0, onSome: ({ sequence }) => sequence })
            const upToNewest = records(from, (tap, reached) => (reached < newest ? tap.take : tap.poll))
            return Stream.concat(upToNewest, Stream.fromEffectDrain(Effect.sync(() => caughtUp.add(subject))))
          }),
        ),
      consume: (from) => records(from, (tap) => tap.take).pipe(Stream.ensuring(Effect.sync(() => end(subject)))),
      end: Effect.sync(() => end(subject)),
    }
  }
  return {
    of: feedOf,
    waitsMs: () => {
      const now = monotonic()
      return [...taps.values()].map(({ waitingSince = now }) => now - waitingSince)
    },
    deliveredAfter: (matchId, sequence) => {
      const subject = feedSubject(matchId)
      return caughtUp.has(subject) ? delivered.after(subject, sequence, position) : undefined
    },
  }
})
