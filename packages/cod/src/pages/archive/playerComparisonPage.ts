/** Compares two players with their meetings, or up to five by their statistics. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { chosen, count, nothing, pathWith } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { decimal } from "@matchpoint/game/pages/parts/format"
import { codNav, linkTo, PLAYERS } from "./links.ts"
import type { Comparison, PlayerMeetings } from "./types.ts"
import { versus } from "./versus.ts"

export const playerComparisonPage = async (client: Client, query: URLSearchParams): Promise<Page> => {
  const [player1, player2] = [chosen(query, "player1"), chosen(query, "player2")]
  const parts = player1 === null || player2 === null ? undefined : await readComparison(client, player1, player2)
  const element = h(
    "article",
    { class: "entity cod" },
    codNav(PLAYERS),
    h("h1", {}, "Compare players"),
    form(player1, player2),
    ...(parts ?? [panel("Meetings", nothing("Enter the handles of two players, as the leaders and the search show them."))]),
  )
  return { title: "Compare players", element }
}

const form = (player1: string | null, player2: string | null) => {
  const field = (name: string, label: string, value: string | null) =>
    h(
      "label",
      {},
      `${label} `,
      h("input", { name, value: value ?? "", maxlength: "80", required: "", autocomplete: "off", spellcheck: "false" }),
    )
  const element = h(
    "form",
    { class: "filters" },
    field("player1", "First player", player1),
    field("player2", "Second player", player2),
    h("button", { type: "submit" }, "Compare"),
  )
  element.addEventListener("submit", (event) => {
    event.preventDefault()
    const entered = new FormData(element)
    const textOf = (name: string) => String(entered.get(name) ?? "").trim()
    location.assign(pathWith(PLAYERS, { player1: textOf("player1"), player2: textOf("player2") }))
  })
  return element
}

const readComparison = async (client: Client, player1: string, player2: string) => {
  const [meetings, comparison] = await Promise.all([
    client.get("/cod/analytics/head-to-head", { query: { player1, player2 } }),
    client.get("/cod/analytics/compare", { query: { players: [player1, player2] } }),
  ])
  return [...meetingsPanels(meetings.body), comparisonPanel(comparison.body)]
}

const meetingsPanels = ({ headToHead, matchesPlayed, player1, player2, stats }: PlayerMeetings) => {
  const rows = [
    ["Kills per death", stats.kd, 2],
    ["Kills per 10 minutes", stats.killsPer10, 1],
    ["Damage per 10 minutes", stats.damagePer10, 0],
  ] as const
  return [
    versus(
      [linkTo("players", player1.playerId, player1.ign), linkTo("players", player2.playerId, player2.ign)],
      [headToHead.player1Wins, headToHead.player2Wins],
      `${matchesPlayed} ${matchesPlayed === 1 ? "match" : "matches"}`,
    ),
    panel(
      "In these matches",
      matchesPlayed === 0
        ? nothing("They have not met within the history of the plan.")
        : table(
            ["", player1.ign, player2.ign],
            rows.map(([name, pair, digits]) => [name, decimal(pair.player1, digits), decimal(pair.player2, digits)]),
            "Statistics in their meetings",
          ),
    ),
  ]
}

const comparisonPanel = ({ players }: Comparison) =>
  panel(
    "All maps",
    table(
      ["Player", "Team", "Maps", "Kills per death", "Kills a map", "Damage a map"],
      players.map(({ ign, mapsPlayed, playerId, stats, team }) => [
        linkTo("players", playerId, ign),
        team ?? "–",
        count(mapsPlayed),
        decimal(stats.kd, 2),
        decimal(stats.kills, 1),
        decimal(stats.damage, 0),
      ]),
      "Statistics on all maps",
    ),
  )
