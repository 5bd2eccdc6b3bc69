/** All import sources for CS2, and all derivations (data computed from imported data). */
import type { ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import type { ImportSource } from "@matchpoint/game/feed/import/ImportSource"
import { Effect } from "effect"
import { RankingWriter } from "../../archive/rankings/RankingWriter.ts"
import { RosterDerivation } from "../../archive/rosters/RosterDerivation.ts"
import { StatsRefresh } from "../../archive/stats/StatsRefresh.ts"
import { SlugKeeper } from "../../archive/teams/SlugKeeper.ts"
import { ArchiveTables } from "../../archive/upkeep/ArchiveTables.ts"
import { CS2 } from "../../rules/live/cs2Rules.ts"
import { analyzer } from "./analyzer/analyzer.ts"
import { demos } from "./demos/demos.ts"
import { oddsMarkets } from "./odds/marketCaptures.ts"
import { results } from "./results/results.ts"
import { skinCatalog } from "./skins/catalog.ts"
import { skinPrices } from "./skins/priceHistory.ts"
import { standings } from "./standings/standings.ts"
import { teamPages } from "./teamPages/teamPages.ts"

/** Sources that identify teams and players most reliably are imported first. */
const sources = [
  // The lineups of several years in the standings identify teams most reliably, the mere names on team pages least.
  { source: standings, folder: "cs2/vrs" },
  { source: results, folder: "cs2/hltv" },
  { source: teamPages, folder: "cs2/hltv" },
  { source: analyzer, folder: "cs2/matches" },
  { source: demos, folder: "cs2/demos" },
  { source: oddsMarkets, folder: "odds" },
  { source: skinCatalog, folder: "skins" },
  { source: skinPrices, folder: "skins" },
] as const

const vacuumed = Effect.flatMap(ArchiveTables, ({ vacuum }) => vacuum)

/** The order matters: table maintenance improves query plans, rankings need regions, statistics read everything else. */
const derivations = [
  { what: "table maintenance", make: vacuumed },
  { what: "rosters, roster changes and transfers", make: Effect.flatMap(RosterDerivation, ({ rebuild }) => rebuild()) },
  { what: "slugs of teams and players", make: Effect.flatMap(SlugKeeper, ({ assign }) => assign) },
  { what: "regions of teams", make: Effect.flatMap(RankingWriter, ({ placeRegions }) => placeRegions) },
  { what: "world ranking", make: Effect.flatMap(RankingWriter, ({ rebuildWorld }) => rebuildWorld) },
  { what: "statistics", make: Effect.flatMap(StatsRefresh, ({ refresh }) => refresh) },
  // Again, because PostgreSQL counts rows with an index-only scan only if the table is unchanged since its last vacuum.
  { what: "table maintenance after the derivations", make: vacuumed },
] as const

type Services =
  (typeof sources)[number]["source"] extends ImportSource<infer R> ? R | Effect.Services<(typeof derivations)[number]["make"]> : never

export const cs2Imports: ImportSection<Services> = {
  game: CS2,
  summary: "CS2 data: matches, teams, players, events",
  sources,
  derivations,
  analyze: Effect.flatMap(ArchiveTables, ({ analyze }) => analyze),
}
