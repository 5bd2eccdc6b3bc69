import { cardLink } from "@matchpoint/game/pages/live/matchList"
import { h, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { clockTime, initials } from "@matchpoint/game/pages/parts/format"
import { mapName } from "../format.ts"
import type { ListRow, ListTeam } from "./listRow.ts"
import { seriesPips } from "./series.ts"

export const matchCard = ({ matchId }: ListRow) => {
  const status = h("span", { class: "status" })
  const event = h("span", { class: "event" })
  const teams = [teamLine(), teamLine()]
  const place = h("span")
  const phase = h("span", { class: "phase" })
  const link = cardLink(matchId)
  link.append(
    h("span", { class: "card-head" }, event, status),
    ...teams.map((team) => team.element),
    h("span", { class: "card-foot" }, place, phase),
  )
  return {
    element: h("li", {}, link),
    update(row: ListRow) {
      setAttribute(link, "data-status", row.feed?.status ?? row.status)
      setText(event, `${row.eventName ?? "Match"} · Bo${row.bestOf}`)
      setText(status, statusWords(row))
      for (const [index, team] of row.teams.entries()) teams[index]?.update(team, row)
      setText(place, whereWords(row))
      setText(phase, row.status === "live" && row.round > 0 ? `${phaseWords(row.phase)}Round ${row.round}` : "")
    },
  }
}

const whereWords = ({ map, mapNumber }: ListRow) => {
  if (mapNumber === 0) return "Before the first map"
  return map === null ? `Map ${mapNumber}` : `Map ${mapNumber} · ${mapName(map)}`
}

const statusWords = ({ feed, status }: ListRow) => {
  if (feed !== undefined) return `${feed.status === "stale" ? "Stale" : "Interrupted"} · last report ${clockTime(feed.lastReportAt)}`
  return status === "live" ? "Live" : status === "completed" ? "Final" : status
}

const phaseWords = (phase: string | null) => (phase === "timeout" ? "Timeout · " : phase === "freezetime" ? "Freeze time · " : "")

const teamLine = () => {
  const badge = h("span", { class: "badge", "aria-hidden": "true" })
  const name = h("span", { class: "team-name" })
  const pips = h("span", { class: "pips" })
  const alive = h("span", { class: "alive" })
  const rounds = h("span", { class: "rounds" })
  const element = h("span", { class: "team-line" }, badge, h("span", { class: "team-label" }, name, pips), alive, rounds)
  return {
    element,
    update(team: ListTeam, row: ListRow) {
      setAttribute(element, "data-side", team.side)
      setAttribute(element, "data-winner", team.winner ? "" : null)
      setText(badge, initials(team.name))
      setText(name, team.name)
      setChildren(pips, `${team.series}/${row.bestOf}`, () => seriesPips(team.series, row.bestOf))
      setText(alive, team.alive === null || row.status !== "live" ? "" : `${team.alive} alive`)
      setText(rounds, team.rounds ?? "–")
    },
  }
}
