/**
 * How far a simulated match has been played. FEED is the only record: a fact has been played if it is in the stream.
 */
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import { ordinalOf } from "@matchpoint/simulator/simulatedFactId"
import { Effect, Option, Result, Stream } from "effect"
import type { SimulatedGame } from "./SimulatedGame.ts"

/** Newest event in FEED that the simulator appended. */
export interface FeedPosition {
  readonly ordinal: number
  /** Epoch milliseconds. */
  readonly observedAt: number
}

/** None if the match has not started. */
export const feedPosition = Effect.fn("FeedPosition.feedPosition")(function* (game: SimulatedGame, match: MatchId) {
  const log = yield* EventLog
  const subject = feedSubject(match)
  const newest = yield* log.last(FEED, subject)
  if (Option.isNone(newest)) return Option.none<FeedPosition>()
  const position = positionOf(game, newest.value)
  if (Option.isSome(position)) return position
  // The newest event is from a watchdog or an operator, so all records of the match are searched.
  return yield* log
    .read(FEED, subject, { _tag: "First" })
    .pipe(Stream.runFold(Option.none<FeedPosition>, (found, record) => Option.orElse(positionOf(game, record), () => found)))
})

/** None for events from other sources and for malformed records, which the match service rejects. */
const positionOf = (game: SimulatedGame, record: LogRecord): Option.Option<FeedPosition> => {
  const event = game.decodeEvent(record.data)
  if (Result.isFailure(event)) return Option.none()
  const ordinal = ordinalOf(event.success.id)
  return ordinal === undefined ? Option.none() : Option.some({ ordinal, observedAt: event.success.observedAt })
}
