/** Page of a tournament: its series, standings over all series, players and legends. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, count, filterForm, nothing, simulatedMark } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { decimal } from "@matchpoint/game/pages/parts/format"
import { seriesTable } from "./eventsPage.ts"
import { apexNav, linkTo, pathTo } from "./links.ts"
import { compositionsPanel, legendsPanel } from "./statisticsPanels.ts"
import type { EventPlayer } from "./types.ts"

const PLAYERS = 60
const sorts = [
  ["kills", "Kills"],
  ["damage", "Damage"],
  ["assists", "Assists"],
  ["knockdowns", "Knockdowns"],
  ["games", "Games"],
] as const

export const tournamentPage = async (client: Client, eventId: string, query: URLSearchParams): Promise<Page> => {
  const params = { eventId }
  const sort = sorts.find(([name]) => name === chosen(query, "sort"))?.[0] ?? "kills"
  const [series, players, legends] = await Promise.all([
    client.get("/apex/algs/events", { query: { tournament: eventId, limit: 100 } }),
    client.get("/apex/algs/global-stats/:eventId/players", { params, query: { sort, limit: PLAYERS } }),
    client.get("/apex/algs/global-stats/:eventId/legends", { params }),
  ])
  const first = series.data[0]
  const name = first?.tournament.name ?? eventId
  const element = h(
    "article",
    { class: "entity apex" },
    apexNav(),
    h("h1", {}, name),
    h(
      "p",
      { class: "about" },
      `${series.data.length} series`,
      ...(series.data.some(({ source }) => source === "simulator") ? [" ", simulatedMark()] : []),
    ),
    panel(
      "Series",
      series.data.length === 0
        ? nothing("No series within the history of the plan.")
        : seriesTable(series.data, "Series of the tournament"),
    ),
    panel(
      "Players",
      ...(players.data.length === 0
        ? [nothing("The sources of this tournament have no statistics of players.")]
        : [
            filterForm(pathTo("tournaments", eventId), [{ name: "sort", label: "Sort by", any: null, options: sorts, value: sort }]),
            playersTable(players.data),
          ]),
    ),
    h(
      "div",
      { class: "halves" },
      legendsPanel(legends.data.legends, legends.data.reasons),
      compositionsPanel(legends.data.compositions, legends.data.reasons),
    ),
  )
  return { title: name, element }
}

const playersTable = (players: ReadonlyArray<EventPlayer>) =>
  table(
    ["Player", "Team", "Games", "Kills", "Kills a game", "Assists", "Damage", "Damage a game", "Knockdowns", "Legends"],
    players.map((one) => [
      linkTo("players", one.playerId, one.playerName),
      one.teamName,
      String(one.games),
      count(one.kills),
      decimal(one.killsPerGame, 2),
      count(one.assists),
      count(one.damage),
      decimal(one.damagePerGame, 0),
      count(one.knockdowns),
      one.legends
        .slice(0, 3)
        .map(({ legend }) => legend)
        .join(", "),
    ]),
    "Players of the tournament",
  )
