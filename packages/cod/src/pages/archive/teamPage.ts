import { type Client, RequestError } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { facts, notice, panel } from "@matchpoint/game/pages/archive/archiveParts"
import { count, nothing, pathWith } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { percent } from "@matchpoint/game/pages/parts/format"
import { codNav, RESULTS, TEAMS } from "./links.ts"
import { teamLog, upcomingTable } from "./matchTables.ts"
import { simulatedLabel } from "./simulated.ts"
import { stylePanels } from "./stylePanels.ts"
import type { MatchItem, Standings, TeamStyle, UpcomingMatch } from "./types.ts"

const RECENT = 20

interface Team {
  readonly slug: string
  readonly name: string
  readonly standings: Standings
  readonly results: ReadonlyArray<MatchItem>
  readonly upcoming: ReadonlyArray<UpcomingMatch>
  readonly style: TeamStyle | undefined
  readonly label: ReadonlyArray<Node | string>
}

export const teamPage = async (client: Client, slug: string): Promise<Page> => {
  const [{ body: standings }, results, upcoming, style, label] = await Promise.all([
    client.get("/cod/cdl/standings"),
    client.get("/cod/matches", { query: { team: slug, limit: RECENT } }),
    client.get("/cod/matches/upcoming", { query: { team: slug, limit: RECENT } }),
    readStyle(client, slug),
    simulatedLabel(client),
  ])
  const name = nameOf(slug, standings, [...results.data, ...upcoming.data]) ?? style?.team
  if (name === undefined)
    return {
      title: "Not here",
      element: notice("This team is not here", "The archive has no team with this id. Search for the name above."),
    }
  return { title: name, element: teamView({ slug, name, standings, results: results.data, upcoming: upcoming.data, style, label }) }
}

/** Undefined if the team has not played a map. */
const readStyle = async (client: Client, slug: string) => {
  try {
    return (await client.get("/cod/analytics/teams/:slug/style", { params: { slug } })).body
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined
    throw error
  }
}

const nameOf = (slug: string, { data }: Standings, matches: ReadonlyArray<MatchItem | UpcomingMatch>) =>
  data.find(({ orgSlug }) => orgSlug === slug)?.teamName ??
  matches.flatMap(({ team1, team2 }) => [team1, team2]).find((team) => team.slug === slug)?.name

const teamView = ({ label, name, results, slug, standings, style, upcoming }: Team) => {
  const place = standings.data.find(({ orgSlug }) => orgSlug === slug)
  return h(
    "article",
    { class: "entity cod" },
    codNav(),
    h("h1", {}, name),
    h(
      "p",
      { class: "about" },
      place === undefined || place.rank === null ? "" : `Rank ${place.rank} of the season ${standings.season ?? ""}`,
      ...label,
    ),
    h(
      "p",
      { class: "actions" },
      h("a", { class: "action", href: pathWith(TEAMS, { team1: slug }) }, "Compare with another team"),
      h("a", { class: "action", href: pathWith(RESULTS, { team: slug }) }, "All results"),
    ),
    ...(place === undefined ? [] : [recordPanel(place, standings.season)]),
    ...(style === undefined ? [] : stylePanels(style)),
    panel("Coming up", upcoming.length === 0 ? nothing("No match is announced.") : upcomingTable(upcoming, "Matches to come")),
    panel(
      "Results",
      results.length === 0 ? nothing("No results within the history of the plan.") : teamLog(results, slug, "Results, newest first"),
    ),
  )
}

const recordPanel = ({ cdlPoints, mapRecord, matchRecord }: Standings["data"][number], season: number | null) =>
  panel(
    `Season ${season ?? ""}`,
    facts([
      ["Points", count(cdlPoints)],
      ["Won", String(matchRecord.wins)],
      ["Lost", String(matchRecord.losses)],
      ["Won %", percent(matchRecord.winPct)],
      ["Maps won", String(mapRecord.wins)],
      ["Maps lost", String(mapRecord.losses)],
    ]),
  )
