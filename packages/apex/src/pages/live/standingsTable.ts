/** Rank, team, players in the game in progress, kills and points. */
import { h, keyedRows, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { playerLink } from "../archive/links.ts"
import type { LiveMatch } from "./types.ts"

interface TeamRow {
  readonly team: number
  readonly rank: number
  readonly name: string
  readonly players: LiveMatch["teams"][number]["players"]
  readonly alive: number | null
  readonly placement: number | null
  readonly gameKills: number | null
  readonly kills: number
  readonly points: number
  readonly isOnMatchPoint: boolean
}

const rowsOf = ({ game, standings, teams }: LiveMatch): ReadonlyArray<TeamRow> =>
  standings.map(({ isOnMatchPoint, kills, points, rank, team }) => {
    const now = game?.teams[team - 1]
    return {
      team,
      rank,
      name: teams[team - 1]?.name ?? "",
      players: teams[team - 1]?.players ?? [],
      alive: now?.alive ?? null,
      placement: now?.placement ?? null,
      gameKills: now?.kills ?? null,
      kills,
      points,
      isOnMatchPoint,
    }
  })

export const standingsTable = () => {
  const body = h("tbody")
  const fill = keyedRows(body, ({ team }: TeamRow) => String(team), teamRow)
  const heads = ["Rank", "Team", "In game", "Kills", "All kills", "Points"]
  const element = h(
    "section",
    { class: "panel lobby-standings", "aria-labelledby": "standings-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "standings-heading" }, "Standings")),
    h(
      "table",
      { "aria-labelledby": "standings-heading" },
      h("thead", {}, h("tr", {}, ...heads.map((words) => h("th", { scope: "col" }, words)))),
      body,
    ),
  )
  return {
    element,
    update(match: LiveMatch) {
      fill(rowsOf(match))
    },
  }
}

const teamRow = () => {
  const cells = { rank: h("td"), alive: h("td"), gameKills: h("td"), kills: h("td"), points: h("td", { class: "points" }) }
  const name = h("span")
  const badge = h("span", { class: "match-point" })
  const players = h("p", { class: "lobby-players" })
  const team = h("th", { scope: "row" }, name, badge, players)
  const element = h("tr", {}, cells.rank, team, cells.alive, cells.gameKills, cells.kills, cells.points)
  return {
    element,
    update(row: TeamRow) {
      setAttribute(element, "data-out", row.placement === null ? null : "")
      setText(cells.rank, String(row.rank))
      setText(name, row.name)
      setChildren(players, JSON.stringify(row.players), () =>
        row.players.flatMap((player, index) => [index === 0 ? "" : ", ", playerLink(player)]),
      )
      setText(badge, row.isOnMatchPoint ? "match point" : "")
      setText(cells.alive, aliveWords(row))
      setText(cells.gameKills, row.gameKills === null ? "–" : String(row.gameKills))
      setText(cells.kills, String(row.kills))
      setText(cells.points, String(row.points))
    },
  }
}

const aliveWords = ({ alive, placement }: TeamRow) => {
  if (alive === null) return "–"
  return placement === null ? `${alive} alive` : `#${placement}`
}
