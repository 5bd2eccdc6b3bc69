/** Pages with finished matches and with those that come next. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { panel } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, filterForm, nothing, pageLinks, pathWith } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { codNav, RESULTS, SCHEDULE } from "./links.ts"
import { resultsTable, upcomingTable } from "./matchTables.ts"

const ROWS = 50

export const resultsPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const [team, tournamentId] = [chosen(query, "team"), chosen(query, "tournamentId")]
  const page = Math.max(1, Number(chosen(query, "page") ?? 1) || 1)
  const filters = { ...(team === null ? {} : { team }), ...(tournamentId === null ? {} : { tournamentId }) }
  const [matches, standings] = await Promise.all([
    client.get("/cod/matches", { query: { ...filters, limit: ROWS, page } }),
    client.get("/cod/cdl/standings"),
  ])
  const { nextPage, totalPages } = matches.body.pagination
  const title = tournamentId === null ? "Results" : (matches.data[0]?.tournament.name ?? tournamentId)
  const pathOf = (number: number | null) =>
    number === null ? undefined : pathWith(RESULTS, { ...filters, page: number === 1 ? undefined : String(number) })
  const teams = standings.data.map(({ orgSlug, teamName }) => [orgSlug, teamName] as const)
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(RESULTS),
    h("h1", {}, title),
    h("p", { class: "about" }, `${matches.body.total} matches, newest first${totalPages > 1 ? `, page ${page} of ${totalPages}` : ""}`),
    ...(tournamentId === null ? [filterForm(RESULTS, [{ name: "team", label: "Team", any: "All", options: teams, value: team }])] : []),
    panel(
      "Results",
      matches.data.length === 0
        ? nothing("No finished match with these filters within the history of the plan. Choose fewer filters.")
        : resultsTable(matches.data, "Results, newest first"),
    ),
    ...pageLinks(page === 1 ? undefined : pathOf(1), pathOf(nextPage)),
  )
  return { title, element }
}

export const schedulePage = async (client: Client): Promise<Page> => {
  const { data } = await client.get("/cod/matches/upcoming", { query: { limit: 100 } })
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(SCHEDULE),
    h("h1", {}, "Schedule"),
    panel(
      "Coming up",
      data.length === 0
        ? nothing("No match is announced. The results show what has been played.")
        : upcomingTable(data, "Matches to come, in the order of their start"),
    ),
  )
  return { title: "Schedule", element }
}
