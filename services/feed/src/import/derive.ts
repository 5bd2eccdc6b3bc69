/**
 * What follows from everything that was imported, whatever the source: made once, at the end of a command that has written something,
 * and made up for by the next one where that ended early. The same again changes nothing. A new step is a line here.
 */
import { ArchiveTables } from "@matchpoint/store/cs2/ArchiveTables"
import { Imports } from "@matchpoint/store/cs2/Imports"
import { RankingWriter } from "@matchpoint/store/cs2/RankingWriter"
import { RosterDerivation } from "@matchpoint/store/cs2/RosterDerivation"
import { StatsRefresh } from "@matchpoint/store/cs2/stats/StatsRefresh"
import { Effect, Option } from "effect"
import type { Listener } from "./Importer.ts"

const tidied = Effect.flatMap(ArchiveTables, ({ vacuum }) => vacuum)

/** In order: what is derived is read with good plans, rankings know the regions, statistics read all of it. */
const steps = [
  { what: "tables are tidied", make: tidied },
  { what: "rosters, roster changes and transfers", make: Effect.flatMap(RosterDerivation, ({ rebuild }) => rebuild()) },
  { what: "regions of teams", make: Effect.flatMap(RankingWriter, ({ placeRegions }) => placeRegions) },
  { what: "world ranking", make: Effect.flatMap(RankingWriter, ({ rebuildWorld }) => rebuildWorld) },
  { what: "statistics", make: Effect.flatMap(StatsRefresh, ({ refresh }) => refresh) },
  // A list that an index alone can count is counted so only where its table is known to be at rest.
  { what: "what was made is tidied", make: tidied },
] as const

/** `always`: even where nothing was written. */
export const deriveAll = Effect.fn("import.deriveAll")(function* (tell: Listener, always: boolean) {
  const imports = yield* Imports
  const mark = yield* imports.underived
  if (Option.isNone(mark) && !always) return
  for (const { make, what } of steps) {
    yield* tell({ type: "Deriving", what })
    yield* make
  }
  if (Option.isSome(mark)) yield* imports.derived(mark.value)
})
