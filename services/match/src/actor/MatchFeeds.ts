/**
 * How an actor reads the facts of its match from FEED. By default, each match has its own consumers on the log. A
 * process that owns whole partitions shares one consumer among the matches of a partition (`placement/PartitionFeed`),
 * so that taking over many matches creates few consumers on the log server.
 */
import type { EventLog, From, LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { Context, Effect, type Stream } from "effect"

export interface MatchFeed {
  /** First and last sequence of the whole FEED stream, read after the call. */
  readonly bounds: Effect.Effect<{ readonly first: number; readonly last: number }, LogError>
  /** The records that exist when the stream starts running. */
  readonly read: (from: From) => Stream.Stream<LogRecord, LogError>
  /** Ends only by failure or interruption. */
  readonly consume: (from: From) => Stream.Stream<LogRecord, LogError>
  /** Discards the kept records of a match that will not consume them. `consume` does the same when it ends. */
  readonly end: Effect.Effect<void>
}

export class MatchFeeds extends Context.Reference<{
  readonly open: (log: EventLog["Service"], matchId: MatchId) => MatchFeed
}>("@matchpoint/service-match/actor/MatchFeeds", {
  defaultValue: () => ({
    open: (log, matchId) => ({
      bounds: log.bounds(FEED),
      read: (from) => log.read(FEED, feedSubject(matchId), from),
      consume: (from) => log.consume(FEED, feedSubject(matchId), from),
      end: Effect.void,
    }),
  }),
}) {}
