/** Import of an Apex archive: its sources in the order of import, and what follows an import. */
import { APEX } from "@matchpoint/domain/apex/game"
import type { ApexArchiveWriter } from "@matchpoint/store/apex/ApexArchiveWriter"
import { SimulatedSeries } from "@matchpoint/store/apex/SimulatedSeries"
import { ApexSummaries } from "@matchpoint/store/apex/summaries/ApexSummaries"
import { Effect } from "effect"
import type { ImportSection } from "../../import/ImportSection.ts"
import { lobbies } from "./lobbies.ts"
import { players, series, tournaments, transactions } from "./profiles.ts"

export const apexImports: ImportSection<ApexArchiveWriter | ApexSummaries | SimulatedSeries> = {
  game: APEX,
  summary: "an archive of Apex lobbies: tournaments, results, players and transactions",
  wholeFolder: true,
  sources: [
    { source: tournaments, folder: "" },
    { source: lobbies, folder: "" },
    { source: series, folder: "" },
    { source: players, folder: "" },
    { source: transactions, folder: "" },
  ],
  derivations: [
    { what: "removal of the simulated season", make: Effect.flatMap(SimulatedSeries, ({ remove }) => remove) },
    { what: "lobbies that are copies of others", make: Effect.flatMap(ApexSummaries, ({ markCopies }) => markCopies) },
    { what: "summaries of tournaments and players", make: Effect.flatMap(ApexSummaries, ({ refresh }) => refresh) },
  ],
  // An archive of a few thousand lobbies needs no table statistics: its lists are read through indexes.
  analyze: Effect.void,
  report: Effect.flatMap(ApexSummaries, ({ report }) => report),
}
