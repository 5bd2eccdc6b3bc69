/**
 * Everything that can be imported, in the order in which `all` imports it: what names entities best goes first. A new source is one line
 * here. `folder`: where `all` finds its files in a folder of everything.
 */
import { analyzer } from "../cs2/import/analyzer/analyzer.ts"
import { demos } from "../cs2/import/demos/demos.ts"
import { oddsMarkets } from "../cs2/import/odds/marketCaptures.ts"
import { results } from "../cs2/import/results/results.ts"
import { skinCatalog } from "../cs2/import/skins/catalog.ts"
import { skinPrices } from "../cs2/import/skins/priceHistory.ts"
import { standings } from "../cs2/import/standings/standings.ts"
import { teamPages } from "../cs2/import/teamPages/teamPages.ts"
import type { ImportSource } from "./ImportSource.ts"

export const sources = [
  // Line-ups over years first: who is who is clearest from them, and least from pages that tell names alone.
  { source: standings, folder: "cs2/vrs" },
  { source: results, folder: "cs2/hltv" },
  { source: teamPages, folder: "cs2/hltv" },
  { source: analyzer, folder: "cs2/matches" },
  { source: demos, folder: "cs2/demos" },
  { source: oddsMarkets, folder: "odds" },
  { source: skinCatalog, folder: "skins" },
  { source: skinPrices, folder: "skins" },
] as const

/** What the sources need, all together. */
export type SourceServices = (typeof sources)[number]["source"] extends ImportSource<infer R> ? R : never

/** The same where only their common side matters. */
export const registered: ReadonlyArray<{ readonly source: ImportSource<SourceServices>; readonly folder: string }> = sources
