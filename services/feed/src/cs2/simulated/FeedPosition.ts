/**
 * Position of a simulated match in FEED. The log is the only record of progress: facts in FEED have been played, others
 * have not.
 */
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import type { MatchId } from "@matchpoint/domain/ids"
import { ordinalOf } from "@matchpoint/simulator/cs2/timedFact"
import { Effect, Option, Result, Stream } from "effect"

/** The newest simulated fact in FEED. */
export interface FeedPosition {
  readonly ordinal: number
  /** Time of the fact in epoch milliseconds. */
  readonly observedAt: number
}

/** Returns the position of a match, or none if the match has not started. */
export const feedPosition = Effect.fn("FeedPosition.feedPosition")(function* (match: MatchId) {
  const log = yield* EventLog
  const subject = feedSubject(match)
  const newest = yield* log.last(FEED, subject)
  if (Option.isNone(newest)) return Option.none<FeedPosition>()
  const position = positionOf(newest.value)
  if (Option.isSome(position)) return position
  // The newest fact is from a watchdog or an operator, so the simulator's newest fact is further back.
  return yield* log
    .read(FEED, subject, { _tag: "First" })
    .pipe(Stream.runFold(Option.none<FeedPosition>, (found, record) => Option.orElse(positionOf(record), () => found)))
})

/**
 * Returns none for facts that are not from the simulator and for malformed records, which the match service rejects.
 */
const positionOf = (record: LogRecord): Option.Option<FeedPosition> => {
  const event = decodeFeedEvent(record.data)
  if (Result.isFailure(event)) return Option.none()
  const ordinal = ordinalOf(event.success.id)
  return ordinal === undefined ? Option.none() : Option.some({ ordinal, observedAt: event.success.observedAt })
}
