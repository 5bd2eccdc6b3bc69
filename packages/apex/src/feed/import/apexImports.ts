import type { ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import { Effect } from "effect"
import type { ApexArchiveWriter } from "../../archive/ApexArchiveWriter.ts"
import { SimulatedSeries } from "../../archive/SimulatedSeries.ts"
import { ApexSummaries } from "../../archive/summaries/ApexSummaries.ts"
import { APEX } from "../../rules/game.ts"
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
