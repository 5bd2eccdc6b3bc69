/**
 * Writes the quotes in ODDS to the archive, in order, and resumes after a restart. Writing a quote twice has no further
 * effect. A quote that cannot be stored is recorded as rejected and does not block the following ones. Before a quote
 * opens a market, the newest frame (state update) of its match is checked, so that the market of a decided map or
 * series is never opened again. Other modules authorize the senders of quotes.
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

/** Records after which the position in the stream is saved, or earlier if `WITHIN` has elapsed. */
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
        // A quote that the database can never store, e.g. on an unknown match, must not block the quotes after it.
        Effect.retry({ schedule: retrying, while: (error) => error.isRetryable }),
        Effect.catch((error) => refuse(record, error.message)),
      ),
    )
  }

  const position = yield* Effect.retry(recorder.position, retrying)
  const { last } = yield* Effect.retry(log.bounds(ODDS), retrying)
  // A saved position after the end of ODDS means that the stream has been replaced. The new one is read from its
  // beginning, which is safe because writing a quote again has no effect.
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

/** Time of the newest frame if the market is decided by it. The frame is not read if no quote would open the market. */
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
  /** If this fails, logs the cause and starts again after five seconds. */
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
