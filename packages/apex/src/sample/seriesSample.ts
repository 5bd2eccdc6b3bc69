/** The sample archive: a simulated season. The names of all tournaments end with "(simulated)". */
import type { SampleArchive } from "@matchpoint/game/sample/SampleArchives"
import { simulatedSeason } from "@matchpoint/game/sample/simulatedSeason"
import { Effect, Stream } from "effect"
import { ApexArchiveWriter } from "../archive/ApexArchiveWriter.ts"
import { SimulatedSeries } from "../archive/SimulatedSeries.ts"
import { ApexSummaries } from "../archive/summaries/ApexSummaries.ts"
import { SIMULATED } from "../rules/archive/simulated.ts"
import { APEX } from "../rules/game.ts"
import type { SeasonRows } from "../simulator/season/season.ts"

const SEED = 1

/** Parts of the season that are simulated ahead of writing them to the database. */
const AHEAD = 2

const write = Effect.fnUntraced(function* (now: number) {
  const writer = yield* ApexArchiveWriter
  yield* simulatedSeason<SeasonRows>(new URL("./seriesThread.ts", import.meta.url), { seed: SEED, now }).pipe(
    // The season is simulated further while the database writes.
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
})

export const seriesSample: SampleArchive<ApexArchiveWriter | ApexSummaries | SimulatedSeries> = {
  game: APEX,
  source: SIMULATED,
  file: "season",
  isEmpty: Effect.flatMap(SimulatedSeries, ({ isArchiveEmpty }) => isArchiveEmpty),
  write,
}
