/** Import of a tennis archive: its sources in the order of import, and what follows an import. */
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { SimulatedTours } from "@matchpoint/store/tennis/SimulatedTours"
import { TennisSummaries } from "@matchpoint/store/tennis/summaries/TennisSummaries"
import { type KindCount, TennisArchiveWriter } from "@matchpoint/store/tennis/TennisArchiveWriter"
import { Effect } from "effect"
import type { ImportSection } from "../../import/ImportSection.ts"
import { matches, players, rankings } from "./sources.ts"

const lineOf = (title: string, counts: ReadonlyArray<KindCount>): string =>
  `${title}: ${counts.length === 0 ? "none" : counts.map(({ count, kind }) => `${kind} ${count.toLocaleString("en")}`).join(", ")}`

export const tennisImports: ImportSection<SimulatedTours | TennisArchiveWriter | TennisSummaries> = {
  game: TENNIS,
  summary: "a tennis archive: players, matches and rankings of the ATP and the WTA",
  wholeFolder: true,
  sources: [
    { source: players, folder: "" },
    { source: matches, folder: "" },
    { source: rankings, folder: "" },
  ],
  derivations: [
    { what: "removal of the simulated tours", make: Effect.flatMap(SimulatedTours, ({ remove }) => remove) },
    { what: "indexes and table statistics", make: Effect.flatMap(TennisArchiveWriter, ({ prepare }) => prepare) },
    { what: "summaries", make: Effect.flatMap(TennisSummaries, ({ rebuild }) => rebuild) },
  ],
  // Writes use only primary keys, whose plans do not depend on statistics. Therefore, statistics are updated only once,
  // at the end.
  analyze: Effect.void,
  report: Effect.gen(function* () {
    const writer = yield* TennisArchiveWriter
    return [
      lineOf("\nStored matches", yield* writer.matchCounts),
      lineOf("Stored scores that cannot be parsed", yield* writer.problemCounts),
    ]
  }),
}
