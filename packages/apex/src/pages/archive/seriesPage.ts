/** Page of a series, that is, a lobby. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { archivedOrLive } from "@matchpoint/game/pages/archive/archivedOrLive"
import { joined, panel } from "@matchpoint/game/pages/archive/archiveParts"
import { simulatedMark } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { apexNav, linkTo } from "./links.ts"
import { placementsPanel, standingsPanel } from "./standingsPanel.ts"
import { bansPanel, compositionsPanel, legendsPanel, playersPanel } from "./statisticsPanels.ts"
import type { Bans, Scores, SeriesRow } from "./types.ts"
import { dayText, regionName } from "./words.ts"

export const seriesPage = (client: Client, seriesId: string): Promise<Page> =>
  archivedOrLive(seriesId, "apex", "lobby", async () => {
    const params = { seriesId }
    const [scores, bans] = await Promise.all([
      client.get("/apex/algs/events/:seriesId/scores", { params }),
      client.get("/apex/algs/events/:seriesId/bans", { params }),
    ])
    const { eventId, name } = scores.data
    const others = await client.get("/apex/algs/events", { query: { tournament: eventId, limit: 100 } })
    const row = others.data.find((one) => one.seriesId === seriesId)
    return { title: name, element: seriesView(scores.data, bans.data, row) }
  })

const seriesView = (scores: Scores, bans: Bans, row: SeriesRow | undefined) =>
  h(
    "article",
    { class: "entity apex" },
    apexNav(),
    h("h1", {}, scores.name),
    h(
      "p",
      { class: "about" },
      linkTo("tournaments", scores.eventId, row?.tournament.name ?? "Tournament"),
      " · ",
      joined([scores.status, ...(row === undefined ? [] : aboutParts(row))]),
      ...(scores.source === "simulator" ? [" ", simulatedMark()] : []),
    ),
    ...winnerLine(row),
    h("div", { class: "halves" }, standingsPanel(scores), placementsPanel(scores)),
    bansPanel(bans),
    playersPanel(scores.playerStats, scores.reasons),
    h("div", { class: "halves" }, legendsPanel(scores.legendStats, scores.reasons), compositionsPanel(scores.compositions, scores.reasons)),
    ...exceptionsPanel(scores),
  )

const aboutParts = ({ format, gameCount, gamesPlayed, region, schedule, stage, teamCount }: SeriesRow) => [
  region === null ? null : regionName(region),
  stage,
  dayText(schedule),
  `${teamCount} teams`,
  gamesPlayed === gameCount ? `${gameCount} games` : `${gamesPlayed} of ${gameCount} games`,
  format.type === "match_point" ? `match point${format.threshold === null ? "" : ` at ${format.threshold}`}` : null,
]

const winnerLine = (row: SeriesRow | undefined) =>
  row === undefined || row.winner === null || row.status !== "completed"
    ? []
    : [h("p", { class: "champion" }, h("strong", {}, `Winner: ${row.winner.teamName}`), `, ${row.winner.points} points`)]

const exceptionsPanel = ({ exceptions }: Scores) =>
  exceptions.length === 0
    ? []
    : [
        panel(
          "Differences from the rules",
          h("p", { class: "beside" }, "The source states something else than the scoring rules give. The values of the source are shown."),
          h(
            "ul",
            {},
            ...exceptions.map(({ code, computed, gameNumber, stated, teamName }) =>
              h(
                "li",
                {},
                joined([
                  code.replaceAll("_", " "),
                  teamName,
                  gameNumber === null ? null : `game ${gameNumber}`,
                  stated === null ? null : `stated ${stated}`,
                  computed === null ? null : `computed ${computed}`,
                ]),
              ),
            ),
          ),
        ),
      ]
