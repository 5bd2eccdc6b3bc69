import type { ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import { Effect } from "effect"
import { CodArchiveWriter } from "../../archive/CodArchiveWriter.ts"
import { SimulatedSeasons } from "../../archive/SimulatedSeasons.ts"
import { CodSummaries } from "../../archive/summaries/CodSummaries.ts"
import { COD } from "../../rules/game.ts"
import { breakingpoint } from "./breakingpoint.ts"
import { codstats } from "./codstats/codstats.ts"
import { earnings } from "./earnings.ts"
import { playerImages } from "./playerImages.ts"
import { seasonTotals } from "./seasonTotals.ts"

export const codImports: ImportSection<CodArchiveWriter | CodSummaries | SimulatedSeasons> = {
  game: COD,
  summary: "files of the Call of Duty League: matches, player lines, sums of events, earnings",
  wholeFolder: true,
  sources: [codstats, breakingpoint, seasonTotals, playerImages, earnings].map((source) => ({ source, folder: "" })),
  derivations: [
    { what: "removal of the simulated seasons", make: Effect.flatMap(SimulatedSeasons, ({ remove }) => remove) },
    { what: "standings, sums of players and names", make: Effect.flatMap(CodSummaries, ({ rebuild }) => rebuild) },
  ],
  analyze: Effect.flatMap(CodArchiveWriter, ({ analyze }) => analyze),
}
