/**
 * Writes the quotes in the ODDS stream to the archive, in order, and resumes after a restart. Writing is idempotent: a
 * quote that is written twice has no further effect. A quote that cannot be stored is recorded as rejected and does not
 * block the following quotes. Before a quote opens a market, the newest frame (state update) of its match is checked,
 * so that the market of a decided map or series is never opened again. The senders of quotes are authorized by other
 * modules.
 */
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { ODDS } from "@matchpoint/contracts/bus/subjects"
import { matchNumber } from "@matchpoint/domain/ids"
import { Clock, Duration, Effect, Layer, Result, Schedule, Stream } from "effect"
import { OddsRecorder } from "../../archive/odds/OddsRecorder.ts"
import type { QuotedMarket } from "../../archive/odds/QuotedMarket.ts"
import { decodeMarketQuoted, type MarketQuoted, oddsSubject } from "../../contract/odds.ts"
import { decisionsOf, isDecided } from "./decisions.ts"

/**
 * Maximum number of records that are processed before the position in the stream is saved. The position is saved
 * earlier if `WITHIN` has elapsed.
 */
const BATCH = 100
const WITHIN = "1 second"

const retrying = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

const run = Effect.gen(function* () {
  const log = yield* EventLog
  const recorder = yield* OddsRecorder
  const rejections = yield* Rejections

  const refuse = Effect.fnUntraced(function* (record: LogRecord, message: string) {
    const receivedAt = Math.floor(yield* Clock.currentTimeMillis)
    const raw = new TextDecoder().decode(record.data)
    yield* rejections.record(`refused:${record.id}`, {
      matchId: null,
      factId: null,
      type: "odds",
      code: "malformed",
      message,
      receivedAt,
      raw,
    })
  })

  const write = (record: LogRecord) => {
    const decoded = decodeMarketQuoted(record.data)
    if (Result.isFailure(decoded)) return refuse(record, String(decoded.failure).slice(0, 500))
    const market = marketOf(decoded.success)
    return Effect.flatMap(Effect.retry(decidedAt(market), retrying), (at) =>
      recorder.record({ ...market, decidedAt: at }).pipe(
        // Only temporary failures are retried. A quote that the database can never store, such as a quote on an unknown
        // match, must not block the quotes after it.
        Effect.retry({ schedule: retrying, while: (error) => error.isRetryable }),
        Effect.catch((error) => refuse(record, error.message)),
      ),
    )
  }

  const position = yield* Effect.retry(recorder.position, retrying)
  const { last } = yield* Effect.retry(log.bounds(ODDS), retrying)
  // If the saved position is after the end of the ODDS stream, the stream has been replaced by a new one. The new
  // stream is read from its beginning, which is safe because writing a quote again has no effect.
  const from = position === 0 || position > last ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence: position } as const)
  yield* log.consume(ODDS, oddsSubject, from).pipe(
    Stream.mapEffect((record) => Effect.as(write(record), record.sequence)),
    Stream.groupedWithin(BATCH, WITHIN),
    Stream.runForEach((sequences) => {
      const reached = sequences.at(-1)
      return reached === undefined ? Effect.void : Effect.retry(recorder.passed(reached), retrying)
    }),
  )
})

/**
 * Returns the time of the newest frame (state update) of the match if the market is decided according to that frame,
 * and undefined otherwise. If no quote would open the market, returns undefined without reading the frame.
 */
const decidedAt = Effect.fnUntraced(function* ({ mapNumber, matchNumber, quotes }: QuotedMarket) {
  if (matchNumber === undefined || quotes.every(({ state }) => state !== "open")) return
  const decisions = yield* decisionsOf(matchNumber)
  return decisions !== undefined && isDecided(decisions, mapNumber) ? decisions.at : undefined
})

const marketOf = ({ matchId, quote, ...quoted }: MarketQuoted): QuotedMarket => ({
  ...quoted,
  matchNumber: matchId === undefined ? undefined : matchNumber(matchId),
  closedAt: quote.state === "closed" ? quote.at : undefined,
  quotes: [quote],
})

export class OddsFeed {
  /** Writes quotes for the lifetime of the layer. If this fails, logs the cause and starts again after five seconds. */
  static readonly layer = Layer.effectDiscard(
    run.pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logError("the odds feed stopped; restarting", cause), Effect.sleep(Duration.seconds(5))),
      ),
      Effect.forever,
      Effect.forkScoped,
    ),
  )
}
