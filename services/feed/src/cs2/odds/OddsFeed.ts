/**
 * Writes the quotes of the ODDS stream into the archive, in their order, each once in effect; goes on after a restart where it was. A
 * quote that fits nothing is recorded as refused, and the next one is written. Before a quote opens a market, the newest frame of its match
 * is asked whether that is decided: not for a moment is a market open again that should not be. Who quotes is not its business.
 */
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { ODDS } from "@matchpoint/contracts/bus/subjects"
import { decodeMarketQuoted, type MarketQuoted, oddsSubject } from "@matchpoint/contracts/cs2/odds"
import { matchNumber } from "@matchpoint/domain/ids"
import { OddsRecorder, type QuotedMarket } from "@matchpoint/store/cs2/odds/OddsRecorder"
import { Clock, Duration, Effect, Layer, Result, Schedule, Stream } from "effect"
import { decides, decisionsOf } from "./decisions.ts"

/** The position is written down after as many records, or after as long. */
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
        // What the database will never take (a match that is not there) must not stop the line behind it.
        Effect.retry({ schedule: retrying, while: (error) => error.isRetryable }),
        Effect.catch((error) => refuse(record, error.message)),
      ),
    )
  }

  const position = yield* Effect.retry(recorder.position, retrying)
  const { last } = yield* Effect.retry(log.bounds(ODDS), retrying)
  // A log that is behind what was written down is another one: read it from its beginning, writing again does no harm.
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

/** Since when, by the newest frame; asked only where it matters. */
const decidedAt = Effect.fnUntraced(function* ({ mapNumber, matchNumber, quotes }: QuotedMarket) {
  if (matchNumber === undefined || quotes.every(({ state }) => state !== "open")) return
  const decisions = yield* decisionsOf(matchNumber)
  return decisions !== undefined && decides(decisions, mapNumber) ? decisions.at : undefined
})

const marketOf = ({ matchId, quote, ...quoted }: MarketQuoted): QuotedMarket => ({
  ...quoted,
  matchNumber: matchId === undefined ? undefined : matchNumber(matchId),
  closedAt: quote.state === "closed" ? quote.at : undefined,
  quotes: [quote],
})

export class OddsFeed {
  /** Runs for as long as the layer lives; what ends it is logged, and it begins again. */
  static readonly layer = Layer.effectDiscard(
    run.pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logError("the feed of odds stopped; it begins again", cause), Effect.sleep(Duration.seconds(5))),
      ),
      Effect.forever,
      Effect.forkScoped,
    ),
  )
}
