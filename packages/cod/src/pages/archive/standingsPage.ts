import { type Client, RequestError } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, count, nothing, pathWith } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { percent } from "@matchpoint/game/pages/parts/format"
import { codNav, linkTo, STANDINGS } from "./links.ts"
import { simulatedLabel } from "./simulated.ts"
import type { Standings } from "./types.ts"

/** Seasons that the page links to. */
const SEASONS = 6

export const standingsPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const asked = Number(chosen(query, "season") ?? Number.NaN)
  const [{ body: newest }, label] = await Promise.all([client.get("/cod/cdl/standings"), simulatedLabel(client)])
  const season = Number.isInteger(asked) ? asked : newest.season
  const parts = season === newest.season || season === null ? standingsParts(newest) : await partsOf(client, season)
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(STANDINGS),
    h("h1", {}, "Call of Duty League"),
    h("p", { class: "about" }, season === null ? "Standings" : `Standings of the season ${season}`, ...label),
    seasonLinks(newest.season, season),
    panel("Standings", ...parts),
  )
  return { title: "Call of Duty standings", element }
}

const partsOf = async (client: Client, season: number) => {
  try {
    return standingsParts((await client.get("/cod/cdl/standings", { query: { season } })).body)
  } catch (error) {
    if (!(error instanceof RequestError && error.code === "NOT_COVERED")) throw error
    // The message names the seasons that the archive has.
    return [nothing(error.message)]
  }
}

const seasonLinks = (newest: number | null, shown: number | null) =>
  h(
    "nav",
    { class: "choices", "aria-label": "Seasons" },
    ...(newest === null ? [] : Array.from({ length: SEASONS }, (_, back) => newest - back)).map((season) => {
      const href = pathWith(STANDINGS, { season: String(season) })
      return h("a", season === shown ? { href, "aria-current": "page" } : { href }, String(season))
    }),
  )

const standingsParts = ({ cdlPointsReason, data, rankReason }: Standings) =>
  data.length === 0
    ? [nothing("The archive has no season yet. An operator can import one: see the documentation of the section.")]
    : [
        table(
          ["Rank", "Team", "Points", "Won", "Lost", "Won %", "Maps won", "Maps lost", "Maps %"],
          data.map(({ cdlPoints, mapRecord, matchRecord, orgSlug, rank, teamName }) => [
            count(rank),
            linkTo("teams", orgSlug, teamName),
            h("strong", {}, count(cdlPoints)),
            String(matchRecord.wins),
            String(matchRecord.losses),
            percent(matchRecord.winPct),
            String(mapRecord.wins),
            String(mapRecord.losses),
            percent(mapRecord.winPct),
          ]),
          "Standings",
        ),
        ...(rankReason === null ? [] : [nothing("No league match of this season has been played.")]),
        ...(cdlPointsReason === null ? [] : [nothing("No source states the league points of this season. The order is by matches won.")]),
      ]
