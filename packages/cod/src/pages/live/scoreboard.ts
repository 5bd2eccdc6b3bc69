/** Players of both teams: the map in progress, or the whole match between maps. */
import { h, keyedRows, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { linkTo, teamLink } from "../archive/links.ts"
import type { LiveMatch, LivePlayer, TeamNumber } from "./types.ts"
import { teamOf } from "./words.ts"

const columns = ["K", "D", "A", "DMG", "HILL", "K/D"] as const
const meanings = ["Kills", "Deaths", "Assists", "Damage", "Seconds on the hill", "Kills per death"] as const

export const scoreboard = () => {
  const title = h("h2", { id: "cod-players" })
  const teams = [teamTable(1), teamTable(2)]
  const element = h(
    "section",
    { class: "panel cod-players", "aria-labelledby": "cod-players" },
    h("div", { class: "panel-head" }, title),
    ...teams.map((team) => team.element),
  )
  return {
    element,
    update(match: LiveMatch) {
      setText(title, match.currentMap === null ? "Players, all maps" : "Players, this map")
      for (const team of teams) team.update(match)
    },
  }
}

const teamTable = (number: TeamNumber) => {
  const name = h("th", { scope: "col" })
  const body = h("tbody")
  const fill = keyedRows(body, ({ playerId }: LivePlayer) => playerId, playerRow)
  return {
    element: h(
      "table",
      { "data-side": String(number) },
      h("thead", {}, h("tr", {}, name, ...columns.map((column, index) => h("th", { scope: "col", title: meanings[index] ?? "" }, column)))),
      body,
    ),
    update(match: LiveMatch) {
      const team = teamOf(match, number)
      setChildren(name, JSON.stringify([team.slug, team.name]), () => [teamLink(team)])
      fill(team.players.filter(({ isActive }) => isActive))
    },
  }
}

const playerRow = (player: LivePlayer) => {
  const cells = columns.map(() => h("td"))
  const element = h("tr", {}, h("th", { scope: "row" }, linkTo("players", player.playerId, player.ign)), ...cells)
  return {
    element,
    update({ isAlive, map, total }: LivePlayer) {
      const { assists, damage, deaths, hillTime, kills } = map ?? total
      setAttribute(element, "data-dead", isAlive === false ? "" : null)
      const values = [kills, deaths, assists, damage ?? "–", hillTime, (kills / Math.max(1, deaths)).toFixed(2)]
      for (const [index, cell] of cells.entries()) setText(cell, values[index] ?? "")
    },
  }
}
