import type { ArchiveSection, LoadPage } from "@matchpoint/game/pages/archive/ArchiveSection"
import { notice, row } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { leadersPage } from "./leadersPage.ts"
import { LEADERS, linkTo, RESULTS, SCHEDULE, STANDINGS, tournamentPath } from "./links.ts"
import { matchPage } from "./matchPage.ts"
import { playerComparisonPage } from "./playerComparisonPage.ts"
import { playerPage } from "./playerPage.ts"
import { resultsPage, schedulePage } from "./resultsPage.ts"
import { standingsPage } from "./standingsPage.ts"
import { teamComparisonPage } from "./teamComparisonPage.ts"
import { teamPage } from "./teamPage.ts"

const FOUND = 8

const fixedPages: ReadonlyMap<string, (...parameters: [Parameters<LoadPage>[0], URLSearchParams]) => ReturnType<LoadPage>> = new Map([
  ["leaders", leadersPage],
  ["player-comparison", playerComparisonPage],
  ["results", resultsPage],
  ["schedule", schedulePage],
  ["standings", standingsPage],
  ["team-comparison", teamComparisonPage],
])

/** Pages whose whole path is fixed. */
const fixedPage: LoadPage = (client, name, query) =>
  fixedPages.get(name)?.(client, query) ??
  Promise.resolve({ title: "Not here", element: notice("This is not here", "Choose a page in the navigation of the section.") })

export const codArchive: ArchiveSection = {
  title: "Call of Duty",
  home: [
    { href: STANDINGS, text: "Standings" },
    { href: SCHEDULE, text: "Schedule" },
    { href: RESULTS, text: "Results" },
    { href: LEADERS, text: "Leaders" },
  ],
  pages: {
    "/cod": fixedPage,
    "/cod/matches": matchPage,
    "/cod/players": playerPage,
    "/cod/teams": teamPage,
  },
  search: async (client, question) => {
    const { results } = (await client.get("/cod/search", { query: { q: question, limit: FOUND } })).data
    return [
      {
        title: "Players",
        items: results.players.map(({ codPlayerId, ign, realName, team }) => row(linkTo("players", codPlayerId, ign), [realName, team])),
      },
      { title: "Teams", items: results.teams.map(({ name, slug }) => row(linkTo("teams", slug, name), [])) },
      {
        title: "Tournaments",
        items: results.tournaments.map(({ name, season, tournamentId }) =>
          row(h("a", { href: tournamentPath(tournamentId) }, name), [String(season)]),
        ),
      },
    ]
  },
}
