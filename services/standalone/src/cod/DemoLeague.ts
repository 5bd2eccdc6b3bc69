/**
 * Fills an empty archive of the Call of Duty League with simulated seasons, once, before the server listens, so that every
 * endpoint of a new server returns some data. The names of all tournaments end with "(simulated)".
 */
import { COD } from "@matchpoint/domain/cod/game"
import { simulateLeague } from "@matchpoint/simulator/cod/season/league"
import { CodArchiveWriter } from "@matchpoint/store/cod/CodArchiveWriter"
import { SimulatedSeasons } from "@matchpoint/store/cod/SimulatedSeasons"
import { CodSummaries } from "@matchpoint/store/cod/summaries/CodSummaries"
import { Imports } from "@matchpoint/store/Imports"
import { DateTime, Effect, Layer, Option, Schedule, Stream } from "effect"

const SEED = 1
/** Source and file in the progress of imports. */
const SIMULATED = "simulator"
const FILE = "league"

/** Number of tournaments that are simulated ahead of writing them to the database. */
const AHEAD = 2

/**
 * Simulates and writes the seasons if the archive is empty. If an earlier run was interrupted while writing, its seasons
 * are continued. They keep their original day, so that the simulation generates the same matches again.
 */
export const fillLeague = Effect.gen(function* () {
  const imports = (yield* Imports).of(COD)
  const writer = yield* CodArchiveWriter
  const begun = yield* imports.find(SIMULATED, FILE)
  if (Option.isSome(begun) && begun.value.finished) return
  if (Option.isNone(begun) && !(yield* (yield* SimulatedSeasons).isArchiveEmpty)) return
  const day = Option.isSome(begun) ? begun.value.fingerprint : DateTime.formatIsoDateUtc(yield* DateTime.now)
  const file = { source: SIMULATED, file: FILE, fingerprint: day }
  if (Option.isNone(begun)) yield* imports.begin(file)
  yield* Stream.fromIterable(simulateLeague({ seed: SEED, now: Date.parse(`${day}T12:00:00Z`) })).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((rows) => Effect.as(Effect.yieldNow, rows)),
    // The buffer lets this thread simulate while the database's worker thread writes.
    Stream.buffer({ capacity: AHEAD }),
    Stream.runForEach(writer.write),
  )
  yield* writer.analyze
  yield* (yield* CodSummaries).rebuild
  yield* imports.finish(file)
  yield* Effect.logInfo("the archive of the Call of Duty League was filled with simulated seasons")
})

export class DemoLeague {
  /**
   * Fills the archive with the simulated seasons. The layer is ready once they have been written. A failure is retried
   * and finally logged, but does not prevent the server from starting.
   */
  static readonly layer = Layer.effectDiscard(
    fillLeague.pipe(
      Effect.retry({ times: 3, schedule: Schedule.exponential("1 second") }),
      Effect.catchCause((cause) => Effect.logError("the simulated seasons of the Call of Duty League could not be written", cause)),
    ),
  )
}
