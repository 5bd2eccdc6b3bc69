/** The sample archive of Call of Duty: simulated seasons of the league. The names of all tournaments end with "(simulated)". */
import type { ArchiveRows } from "@matchpoint/domain/cod/archive/rows"
import { COD } from "@matchpoint/domain/cod/game"
import { CodArchiveWriter } from "@matchpoint/store/cod/CodArchiveWriter"
import { SimulatedSeasons } from "@matchpoint/store/cod/SimulatedSeasons"
import { CodSummaries } from "@matchpoint/store/cod/summaries/CodSummaries"
import { Effect, Stream } from "effect"
import type { SampleArchive } from "../SampleArchives.ts"
import { simulatedSeason } from "../sampleData/simulatedSeason.ts"

const SEED = 1

/** Number of tournaments that are simulated ahead of writing them to the database. */
const AHEAD = 2

const write = Effect.fnUntraced(function* (now: number) {
  const writer = yield* CodArchiveWriter
  yield* simulatedSeason<ArchiveRows>(new URL("./leagueThread.ts", import.meta.url), { seed: SEED, now }).pipe(
    // The season is simulated further while the database writes.
    Stream.buffer({ capacity: AHEAD }),
    Stream.runForEach(writer.write),
  )
  yield* writer.analyze
  yield* (yield* CodSummaries).rebuild
})

export const leagueSample: SampleArchive<CodArchiveWriter | CodSummaries | SimulatedSeasons> = {
  game: COD,
  source: "simulator",
  file: "league",
  isEmpty: Effect.flatMap(SimulatedSeasons, ({ isArchiveEmpty }) => isArchiveEmpty),
  write,
}
