/**
 * Facts that an upgrade of the log has moved to other subjects, and thereby to the end of FEED. The position of an
 * older checkpoint refers to FEED before the move.
 */
import type { LogError, LogRecord } from "@matchpoint/bus/EventLog"
import { formerSequenceOf } from "@matchpoint/bus/movedRecords"
import { Effect, Option, Stream } from "effect"
import type { MatchFeed } from "./MatchFeeds.ts"

/**
 * The position if the checkpoint is from before the move and FEED still has what followed it, otherwise 0. `first` is
 * the first sequence of FEED.
 */
export const positionBeforeMove = (feed: MatchFeed, position: number, first: number): Effect.Effect<number, LogError> =>
  position === 0 || position >= first
    ? Effect.succeed(0)
    : Effect.map(Stream.runHead(feed.read({ _tag: "First" })), (oldest) =>
        Option.exists(oldest, (record) => isMovedUpTo(record, position + 1)) ? position : 0,
      )

/** True if the record was moved, and had at most this sequence before. */
export const isMovedUpTo = (record: LogRecord, position: number): boolean =>
  (formerSequenceOf(record) ?? Number.POSITIVE_INFINITY) <= position
