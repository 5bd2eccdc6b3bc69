/** How far a simulated match has got in FEED. Nothing else remembers it: what is in the log has happened, what is not has not. */
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import type { MatchId } from "@matchpoint/domain/ids"
import { ordinalOf } from "@matchpoint/simulator/cs2/timedFact"
import { Effect, Option, Result, Stream } from "effect"

/** The newest simulated fact in FEED. */
export interface FeedPosition {
  readonly ordinal: number
  /** Epoch milliseconds. */
  readonly observedAt: number
}

/** None: the match has not begun. */
export const feedPosition = Effect.fn("FeedPosition.feedPosition")(function* (match: MatchId) {
  const log = yield* EventLog
  const subject = feedSubject(match)
  const newest = yield* log.last(FEED, subject)
  if (Option.isNone(newest)) return Option.none<FeedPosition>()
  const position = positionOf(newest.value)
  if (Option.isSome(position)) return position
  // A watchdog's or an operator's fact is the newest, so the simulator's own is further back.
  return yield* log
    .read(FEED, subject, { _tag: "First" })
    .pipe(Stream.runFold(Option.none<FeedPosition>, (found, record) => Option.orElse(positionOf(record), () => found)))
})

/** None: not a fact of the simulator, or nothing that can be read; judging that is the match service's part. */
const positionOf = (record: LogRecord): Option.Option<FeedPosition> => {
  const event = decodeFeedEvent(record.data)
  if (Result.isFailure(event)) return Option.none()
  const ordinal = ordinalOf(event.success.id)
  return ordinal === undefined ? Option.none() : Option.some({ ordinal, observedAt: event.success.observedAt })
}
