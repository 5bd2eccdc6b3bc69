/** Series of the archive, newest first, with filters. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { joined, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, count, filterForm, nothing, pageLinks, pathWith, simulatedMark } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { apexNav, EVENTS, linkTo } from "./links.ts"
import type { Coverage, SeriesRow } from "./types.ts"
import { dayText, regionName } from "./words.ts"

const ROWS = 50
const filters = ["status", "region", "tournament"] as const

export const eventsPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const chosenFilters = Object.fromEntries(
    filters.flatMap((name) => {
      const value = chosen(query, name)
      return value === null ? [] : [[name, value] as const]
    }),
  )
  const cursor = chosen(query, "cursor")
  const [coverage, series] = await Promise.all([
    client.get("/apex"),
    client.get("/apex/algs/events", { query: { ...chosenFilters, ...(cursor === null ? {} : { cursor }), limit: ROWS } }),
  ])
  const next = series.meta.nextCursor
  const element = h(
    "article",
    { class: "entity apex" },
    apexNav(EVENTS),
    h("h1", {}, "Apex Legends Global Series"),
    h("p", { class: "about" }, ...aboutWords(coverage.data)),
    filterForm(EVENTS, filterChoices(coverage.data, query)),
    panel(
      "Series",
      series.data.length === 0
        ? nothing("No series matches these filters within the history of the plan. Choose fewer filters.")
        : seriesTable(series.data, "Series, newest first"),
    ),
    ...pageLinks(
      cursor === null ? undefined : pathWith(EVENTS, chosenFilters),
      next === null ? undefined : pathWith(EVENTS, { ...chosenFilters, cursor: next }),
    ),
  )
  return { title: "Apex series", element, words: `${series.meta.total} series` }
}

const aboutWords = ({ firstDay, isSimulated, lastDay, totals }: Coverage) => [
  joined([
    `${count(totals.series)} series with ${count(totals.games)} games of ${count(totals.teams)} teams`,
    firstDay === null || lastDay === null ? null : `${firstDay} – ${lastDay}`,
  ]),
  ...(isSimulated ? [" ", simulatedMark()] : []),
]

const filterChoices = ({ regions, statuses, tournaments }: Coverage, query: URLSearchParams) => [
  {
    name: "tournament",
    label: "Tournament",
    any: "All",
    options: tournaments.map(({ id, name }) => [id, name] as const),
    value: chosen(query, "tournament"),
  },
  {
    name: "region",
    label: "Region",
    any: "All",
    options: Object.keys(regions).map((region) => [region, regionName(region)] as const),
    value: chosen(query, "region"),
  },
  {
    name: "status",
    label: "Status",
    any: "All",
    options: Object.keys(statuses).map((status) => [status, status] as const),
    value: chosen(query, "status"),
  },
]

export const seriesTable = (rows: ReadonlyArray<SeriesRow>, caption: string) =>
  table(
    ["Date", "Series", "Tournament", "Region", "Games", "Winner", "Status"],
    rows.map((one) => [
      dayText(one.schedule),
      one.status === "live" && one.source === "live"
        ? h("a", { href: `/#/match/${encodeURIComponent(one.seriesId)}` }, one.name)
        : linkTo("events", one.seriesId, one.name),
      linkTo("tournaments", one.eventId, one.tournament.name),
      one.region === null ? "–" : regionName(one.region),
      one.gamesPlayed === one.gameCount ? String(one.gameCount) : `${one.gamesPlayed} of ${one.gameCount}`,
      one.winner === null ? "–" : `${one.winner.teamName} · ${one.winner.points} points`,
      h("span", {}, one.status, ...(one.source === "simulator" ? [" ", simulatedMark()] : [])),
    ]),
    caption,
    "texts",
  )
