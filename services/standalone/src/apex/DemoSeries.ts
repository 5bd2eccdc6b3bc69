/**
 * Fills an empty Apex archive with a simulated season, once, before the server listens, so that every endpoint of a new
 * server returns some data. The names of all tournaments end with "(simulated)".
 */
import { SIMULATED } from "@matchpoint/domain/apex/archive/simulated"
import { APEX } from "@matchpoint/domain/apex/game"
import { simulateSeason } from "@matchpoint/simulator/apex/season/season"
import { ApexArchiveWriter } from "@matchpoint/store/apex/ApexArchiveWriter"
import { SimulatedSeries } from "@matchpoint/store/apex/SimulatedSeries"
import { ApexSummaries } from "@matchpoint/store/apex/summaries/ApexSummaries"
import { Imports } from "@matchpoint/store/Imports"
import { DateTime, Effect, Layer, Option, Schedule, Stream } from "effect"

const SEED = 1
const FILE = "season"

/** Maximum number of parts of the season that are simulated ahead of writing them to the database. */
const AHEAD = 2

/**
 * Simulates and writes the season if the archive is empty. If an earlier run was interrupted while writing, its season is
 * continued. It keeps its original day, so that the simulation generates the same series again.
 */
export const fillSeries = Effect.gen(function* () {
  const imports = (yield* Imports).of(APEX)
  const writer = yield* ApexArchiveWriter
  const begun = yield* imports.find(SIMULATED, FILE)
  if (Option.isSome(begun) && begun.value.finished) return
  if (Option.isNone(begun) && !(yield* (yield* SimulatedSeries).isArchiveEmpty)) return
  const day = Option.isSome(begun) ? begun.value.fingerprint : DateTime.formatIsoDateUtc(yield* DateTime.now)
  const file = { source: SIMULATED, file: FILE, fingerprint: day }
  if (Option.isNone(begun)) yield* imports.begin(file)
  yield* Stream.fromIterable(simulateSeason({ seed: SEED, now: Date.parse(`${day}T12:00:00Z`) })).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((rows) => Effect.as(Effect.yieldNow, rows)),
    // The buffer lets this thread simulate while the database's worker thread writes.
    Stream.buffer({ capacity: AHEAD }),
    Stream.runForEach(
      Effect.fnUntraced(function* ({ players, series, tournaments, transactions }) {
        yield* writer.writeTournaments(tournaments)
        yield* writer.writeSeries(series)
        yield* writer.writePlayers(players)
        yield* writer.writeTransactions(transactions)
      }),
    ),
  )
  yield* (yield* ApexSummaries).refresh
  yield* imports.finish(file)
  yield* Effect.logInfo("the Apex archive was filled with a simulated season")
})

export class DemoSeries {
  /**
   * Fills the archive with the simulated season. The layer is ready once it has been written. A failure is retried and
   * finally logged, but does not prevent the server from starting.
   */
  static readonly layer = Layer.effectDiscard(
    fillSeries.pipe(
      Effect.retry({ times: 3, schedule: Schedule.exponential("1 second") }),
      Effect.catchCause((cause) => Effect.logError("the simulated Apex season could not be written", cause)),
    ),
  )
}
