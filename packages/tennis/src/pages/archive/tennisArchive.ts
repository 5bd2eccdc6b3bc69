import type { ArchiveSection } from "@matchpoint/game/pages/archive/ArchiveSection"
import { row } from "@matchpoint/game/pages/archive/archiveParts"
import { headToHeadPath, linkTo } from "../links.ts"
import { headToHeadPage } from "./headToHeadPage.ts"
import { matchPage } from "./matchPage.ts"
import { playerPage } from "./playerPage.ts"
import { tournamentPage } from "./tournamentPage.ts"

const FOUND = 8

export const tennisArchive: ArchiveSection = {
  title: "Tennis",
  home: [{ href: headToHeadPath(undefined, undefined), text: "Head-to-head" }],
  pages: {
    "/tennis/players": playerPage,
    "/tennis/matches": matchPage,
    "/tennis/tournaments": tournamentPage,
    // The last segment of this page's path is `h2h`.
    "/tennis": headToHeadPage,
  },
  search: async (client, question) => {
    const [players, competitions] = await Promise.all([
      client.get("/tennis/players/search", { query: { q: question, limit: FOUND } }),
      client.get("/tennis/competitions", { query: { q: question, limit: FOUND } }),
    ])
    return [
      {
        title: "Players",
        items: players.data.map((one) =>
          row(linkTo("players", one.id, one.name), [
            one.tour,
            one.country,
            one.current_rank === null ? null : `ranked ${one.current_rank}`,
            one.titles === null || one.titles === 0 ? null : one.titles === 1 ? "1 title" : `${one.titles} titles`,
          ]),
        ),
      },
      {
        title: "Tournaments",
        items: competitions.data.map((one) =>
          row(linkTo("tournaments", one.id, one.name ?? one.id), [
            one.tour,
            one.surface,
            one.first_year === one.last_year ? String(one.first_year) : `${one.first_year}–${one.last_year}`,
          ]),
        ),
      },
    ]
  },
}
