/** The sample archive of Apex: a simulated season. The names of all tournaments end with "(simulated)". */
import { SIMULATED } from "@matchpoint/domain/apex/archive/simulated"
import { APEX } from "@matchpoint/domain/apex/game"
import type { SeasonRows } from "@matchpoint/simulator/apex/season/season"
import { ApexArchiveWriter } from "@matchpoint/store/apex/ApexArchiveWriter"
import { SimulatedSeries } from "@matchpoint/store/apex/SimulatedSeries"
import { ApexSummaries } from "@matchpoint/store/apex/summaries/ApexSummaries"
import { Effect, Stream } from "effect"
import type { SampleArchive } from "../SampleArchives.ts"
import { simulatedSeason } from "../sampleData/simulatedSeason.ts"

const SEED = 1

/** Maximum number of parts of the season that are simulated ahead of writing them to the database. */
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
