/** List of live matches. Each match is a card that links to its page. */
import { h, keyedRows, setAttribute, setChildren, setText, show } from "../../parts/dom.ts"
import { clockTime, initials, mapName } from "../format.ts"
import type { ListRow, ListTeam } from "./LiveStore.ts"
import { seriesPips } from "./series.ts"

export const matchList = () => {
  const count = h("p", { class: "lead" })
  const cards = h("ul", { class: "cards" })
  const empty = h(
    "div",
    { class: "notice" },
    h("h2", {}, "No live matches"),
    h("p", {}, "Nothing is being played right now. The list fills by itself as soon as a feed announces a match: keep this page open."),
  )
  const element = h("div", { class: "list" }, h("div", { class: "list-head" }, h("h1", {}, "Live matches"), count), cards, empty)
  const fill = keyedRows(cards, (row: ListRow) => row.matchId, card)
  return {
    element,
    update(rows: ReadonlyArray<ListRow>, loaded: boolean) {
      fill(rows)
      const live = rows.filter((row) => row.status === "live").length
      setText(count, loaded ? `${live} in play` : "Looking for matches …")
      show(cards, rows.length > 0)
      show(empty, loaded && rows.length === 0)
    },
  }
}

const card = ({ matchId }: ListRow) => {
  const status = h("span", { class: "status" })
  const event = h("span", { class: "event" })
  const teams = [teamLine(), teamLine()]
  const place = h("span")
  const phase = h("span", { class: "phase" })
  const link = h("a", { class: "card", href: `#/match/${matchId}` })
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
      const where = row.map === null ? "Before the first map" : `Map ${row.mapNumber} · ${mapName(row.map)}`
      setText(place, where)
      setText(phase, row.status === "live" && row.round > 0 ? `${phaseWords(row.phase)}Round ${row.round}` : "")
    },
  }
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
