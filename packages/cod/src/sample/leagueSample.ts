/** The sample archive: simulated seasons of the league. The names of all tournaments end with "(simulated)". */
import type { SampleArchive } from "@matchpoint/game/sample/SampleArchives"
import { simulatedSeason } from "@matchpoint/game/sample/simulatedSeason"
import { Effect, Stream } from "effect"
import { CodArchiveWriter } from "../archive/CodArchiveWriter.ts"
import { SimulatedSeasons } from "../archive/SimulatedSeasons.ts"
import { CodSummaries } from "../archive/summaries/CodSummaries.ts"
import type { ArchiveRows } from "../rules/archive/rows.ts"
import { COD } from "../rules/game.ts"

const SEED = 1

/** Tournaments that are simulated ahead of writing them to the database. */
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
