import type { ArchiveSection, LoadPage } from "@matchpoint/game/pages/archive/ArchiveSection"
import { notice, row } from "@matchpoint/game/pages/archive/archiveParts"
import { count } from "@matchpoint/game/pages/archive/sectionParts"
import { eventsPage } from "./eventsPage.ts"
import { EVENTS, linkTo, TRANSACTIONS } from "./links.ts"
import { playerPage } from "./playerPage.ts"
import { seriesPage } from "./seriesPage.ts"
import { tournamentPage } from "./tournamentPage.ts"
import { transactionsPage } from "./transactionsPage.ts"
import { regionName } from "./words.ts"

const FOUND = 8

/** Pages whose whole path is fixed. */
const fixedPage: LoadPage = (client, name, query) => {
  if (name === "events") return eventsPage(client, query)
  if (name === "transactions") return transactionsPage(client, query)
  return Promise.resolve({ title: "Not here", element: notice("This is not here", "Choose a page in the navigation of the section.") })
}

export const apexArchive: ArchiveSection = {
  title: "Apex",
  home: [
    { href: EVENTS, text: "Series and scores" },
    { href: TRANSACTIONS, text: "Transactions" },
  ],
  pages: {
    "/apex": fixedPage,
    "/apex/events": seriesPage,
    "/apex/players": playerPage,
    "/apex/tournaments": tournamentPage,
  },
  search: async (client, question) => {
    const [players, coverage] = await Promise.all([
      client.get("/apex/algs/players/search", { query: { q: question, limit: FOUND } }),
      client.get("/apex"),
    ])
    const words = question.toLowerCase().split(/\s+/)
    const tournaments = coverage.data.tournaments.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    return [
      {
        title: "Players",
        items: players.data.map(({ name, playerId, regions, stats, team }) =>
          row(linkTo("players", playerId, name), [
            team?.name ?? null,
            ...regions.map(regionName),
            stats.kills === null ? null : `${count(stats.kills)} kills`,
          ]),
        ),
      },
      {
        title: "Tournaments",
        items: tournaments
          .slice(0, FOUND)
          .map(({ games, id, name, series, startsOn }) =>
            row(linkTo("tournaments", id, name), [startsOn?.slice(0, 4) ?? null, `${series} series`, `${games} games`]),
          ),
      },
    ]
  },
}
