/** Compares two players: totals, splits and meetings, below a form that selects the players. */
import type { Client } from "@matchpoint/client"
import type { Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { joined, panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { headToHeadPath } from "../links.ts"
import type { HeadToHead } from "../types.ts"
import { lastWord, levelName } from "../words.ts"
import { matchTable, playerLink } from "./archiveParts.ts"
import { playerPicker } from "./playerPicker.ts"

export const headToHeadPage = async (client: Client, _name: string, query: URLSearchParams): Promise<Page> => {
  const [player1, player2] = [query.get("player1") ?? undefined, query.get("player2") ?? undefined]
  if (player1 !== undefined && player2 !== undefined) {
    const { data } = await client.get("/tennis/h2h", { query: { player1_id: player1, player2_id: player2 } })
    const names = [data.player1.name, data.player2.name] as const
    return { title: names.join(" – "), element: pageView(form(client, [player1, player2], names), comparison(data)) }
  }
  const name1 = player1 === undefined ? "" : (await client.get("/tennis/players/:playerId", { params: { playerId: player1 } })).data.name
  const empty = panel("Meetings", h("p", { class: "beside" }, "Select two players to see their matches."))
  return { title: "Head-to-head", element: pageView(form(client, [player1, player2], [name1, ""]), [empty]) }
}

const pageView = (fields: HTMLElement, parts: ReadonlyArray<Node>) =>
  h("article", { class: "entity tennis" }, h("h1", {}, "Head-to-head"), fields, ...parts)

/** As soon as both players are selected, the page of these players opens. */
const form = (client: Client, ids: readonly [string | undefined, string | undefined], names: readonly [string, string]) => {
  const chosen: [string | undefined, string | undefined] = [ids[0], ids[1]]
  const picker = (index: 0 | 1) =>
    playerPicker(client, `player${index + 1}`, index === 0 ? "First player" : "Second player", names[index], (id) => {
      chosen[index] = id
      if (chosen[0] !== undefined && chosen[1] !== undefined) location.assign(headToHeadPath(...chosen))
      else pickers[index === 0 ? 1 : 0].input.focus()
    })
  const pickers = [picker(0), picker(1)] as const
  const missing = chosen.indexOf(undefined)
  if (missing >= 0) requestAnimationFrame(() => pickers[missing === 0 ? 0 : 1].input.focus())
  return h("div", { class: "pickers" }, ...pickers.map(({ element }) => element))
}

const comparison = (data: HeadToHead): ReadonlyArray<Node> => {
  const { finals, grand_slams, main_tour, meetings, walkovers } = data
  return [
    totals(data),
    h(
      "div",
      { class: "columns" },
      splitPanel("Overview", data, [
        ["Main tour", main_tour],
        ["Finals", finals],
        ["Grand Slams", grand_slams],
      ]),
      splitPanel(
        "Surfaces",
        data,
        data.by_surface.map((split) => [split.surface ?? "Unknown", split]),
      ),
      splitPanel(
        "Levels",
        data,
        data.by_level.map((split) => [levelName(split.level) ?? "Unknown", split]),
      ),
      splitPanel(
        "Years",
        data,
        data.by_year.map((split) => [String(split.year), split]),
      ),
    ),
    panel(
      "Meetings",
      ...(walkovers === 0 ? [] : [h("p", { class: "beside" }, `Walkovers, which do not count as wins: ${walkovers}.`)]),
      meetings.length === 0
        ? h("p", { class: "beside" }, "They have not met within the history of the plan.")
        : matchTable(meetings, "Meetings, newest first"),
    ),
  ]
}

const totals = ({ matches, player1, player1_wins, player2, player2_wins }: HeadToHead) => {
  const bar = h("div", { class: "share-bar", "aria-hidden": "true" }, h("span", { "data-side": "1" }), h("span", { "data-side": "2" }))
  bar.style.setProperty("--one", String(player1_wins))
  bar.style.setProperty("--two", String(player2_wins))
  return h(
    "section",
    { class: "panel totals", "aria-label": "Wins" },
    compared(player1, player1_wins, 1),
    h("span", { class: "totals-middle" }, `${matches} ${matches === 1 ? "match" : "matches"}`),
    compared(player2, player2_wins, 2),
    bar,
  )
}

const compared = (player: HeadToHead["player1"], wins: number, side: 1 | 2) =>
  h(
    "div",
    { class: "compared", "data-side": String(side) },
    h("strong", {}, playerLink(player)),
    h(
      "span",
      { class: "beside" },
      joined([
        player.country,
        player.current_rank === null ? null : `ranked ${player.current_rank}`,
        player.career_high === null ? null : `career high ${player.career_high}`,
      ]),
    ),
    h("span", { class: "big-score" }, String(wins)),
  )

type Wins = HeadToHead["finals"]

const splitPanel = (title: string, { player1, player2 }: HeadToHead, splits: ReadonlyArray<readonly [string, Wins]>) =>
  panel(
    title,
    table(
      ["", lastWord(player1.name), lastWord(player2.name)],
      splits.map(([name, { player1_wins, player2_wins }]) => [name, String(player1_wins), String(player2_wins)]),
      `${title}: wins of both players`,
    ),
  )
