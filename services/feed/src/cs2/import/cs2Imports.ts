/** Everything of CS2 that can be imported. A new source is a line here, and so is a new derivation. */
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import { RankingWriter } from "@matchpoint/store/cs2/rankings/RankingWriter"
import { RosterDerivation } from "@matchpoint/store/cs2/rosters/RosterDerivation"
import { StatsRefresh } from "@matchpoint/store/cs2/stats/StatsRefresh"
import { SlugKeeper } from "@matchpoint/store/cs2/teams/SlugKeeper"
import { ArchiveTables } from "@matchpoint/store/cs2/upkeep/ArchiveTables"
import { Effect } from "effect"
import type { ImportSection } from "../../import/ImportSection.ts"
import type { ImportSource } from "../../import/ImportSource.ts"
import { analyzer } from "./analyzer/analyzer.ts"
import { demos } from "./demos/demos.ts"
import { oddsMarkets } from "./odds/marketCaptures.ts"
import { results } from "./results/results.ts"
import { skinCatalog } from "./skins/catalog.ts"
import { skinPrices } from "./skins/priceHistory.ts"
import { standings } from "./standings/standings.ts"
import { teamPages } from "./teamPages/teamPages.ts"

/** In the order in which they are imported: the sources that identify teams and players best come first. */
const sources = [
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

const tidied = Effect.flatMap(ArchiveTables, ({ vacuum }) => vacuum)

/** What is derived is read with good plans, rankings know the regions, statistics read all of it. */
const derivations = [
  { what: "tables are tidied", make: tidied },
  { what: "rosters, roster changes and transfers", make: Effect.flatMap(RosterDerivation, ({ rebuild }) => rebuild()) },
  { what: "slugs of teams and players", make: Effect.flatMap(SlugKeeper, ({ assign }) => assign) },
  { what: "regions of teams", make: Effect.flatMap(RankingWriter, ({ placeRegions }) => placeRegions) },
  { what: "world ranking", make: Effect.flatMap(RankingWriter, ({ rebuildWorld }) => rebuildWorld) },
  { what: "statistics", make: Effect.flatMap(StatsRefresh, ({ refresh }) => refresh) },
  // A list that an index alone can count is counted so only where its table is known to be at rest.
  { what: "what was made is tidied", make: tidied },
] as const

/** What all sources and derivations need. */
type Services =
  (typeof sources)[number]["source"] extends ImportSource<infer R> ? R | Effect.Services<(typeof derivations)[number]["make"]> : never

export const cs2Imports: ImportSection<Services> = {
  game: CS2,
  summary: "what is known of CS2: matches, teams, players, events",
  sources,
  derivations,
  analyze: Effect.flatMap(ArchiveTables, ({ analyze }) => analyze),
}
