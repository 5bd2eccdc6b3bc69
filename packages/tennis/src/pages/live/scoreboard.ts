/** Shows for each side the serve, the names, the games of every set and the points of the game. */
import { h, setAttribute, setChildren, setText, show } from "@matchpoint/game/pages/parts/dom"
import { ageText, clockTime } from "@matchpoint/game/pages/parts/format"
import { headToHeadPath, playerLink } from "../links.ts"
import type { LiveMatch, SideNumber } from "../types.ts"
import { fullName, placeWords, sideOf, stakeWords } from "../words.ts"
import { gamesOf, setKey } from "./setCells.ts"

export const scoreboard = () => {
  const title = h("h1")
  const about = h("p", { class: "about" })
  const head = h("tr")
  const sides = [sideRow(1), sideRow(2)]
  const words = h("p", { class: "phase-line" })
  const link = h("a")
  const compare = h("p", { class: "compare" }, link)
  const silence = h("p", { class: "doubt", role: "status" })
  const table = h(
    "table",
    {},
    h("caption", { class: "unseen" }, "Score by sets"),
    h("thead", {}, head),
    h("tbody", {}, ...sides.map(({ element }) => element)),
  )
  const element = h(
    "section",
    { class: "score-panel", "aria-label": "Score" },
    h("div", { class: "face-head" }, title, about),
    table,
    words,
    compare,
    silence,
  )
  return {
    element,
    update(match: LiveMatch) {
      setText(title, `${fullName(match.side1)} vs ${fullName(match.side2)}`)
      setText(about, aboutWords(match))
      setAttribute(element, "data-status", match.status)
      setChildren(head, String(match.format.best_of), () => headCells(match.format.best_of))
      for (const side of sides) side.update(match)
      setText(words, phaseWords(match))
      const ids = [match.side1, match.side2].flatMap(({ players }) => (players.length === 1 ? (players[0]?.id ?? []) : []))
      setText(link, "Head-to-head")
      setAttribute(link, "href", headToHeadPath(ids[0], ids[1]))
      show(compare, ids.length === 2)
    },
    /** `now` is the stream time in epoch milliseconds. */
    tick({ silence: silent }: LiveMatch, now: number) {
      show(silence, silent !== null)
      if (silent === null) return
      const age = ageText(now - Date.parse(silent.since))
      setText(silence, `${silent.status === "stale" ? "Stale" : "Interrupted"}: no report from the match for ${age}.`)
    },
  }
}

const headCells = (bestOf: number) => [
  h("th", { scope: "col", class: "player" }, h("span", { class: "unseen" }, "Player")),
  ...Array.from({ length: bestOf }, (_, index) =>
    h("th", { scope: "col", class: "set" }, h("span", { class: "unseen" }, "Set "), String(index + 1)),
  ),
  h("th", { scope: "col", class: "points" }, "Points"),
]

const aboutWords = (match: LiveMatch) => {
  const { format, source, status, tournament } = match
  const state = {
    upcoming: "not started",
    live: source === "live_backup" ? "live from the backup feed" : "live",
    completed: "final",
    cancelled: "cancelled",
  }
  return [
    placeWords(match),
    tournament.surface,
    `Best of ${format.best_of}`,
    format.doubles ? "doubles" : null,
    format.no_ad ? "no-ad" : null,
    state[status],
  ]
    .filter((part) => part !== null)
    .join(" · ")
}

const phaseWords = (match: LiveMatch) => {
  const { end_reason, game, score, sets, status, suspended_at, winner } = match
  if (winner !== null) {
    const name = fullName(sideOf(match, winner))
    if (end_reason === "walkover") return `${name} won by walkover`
    return `${name} won ${score ?? ""}`.trim() + (end_reason === "retired" ? ", the other side retired" : "")
  }
  if (status === "cancelled") return "The match was cancelled"
  if (suspended_at !== null) return `Suspended since ${clockTime(suspended_at)}`
  if (game === null) return "Not started yet"
  return game.is_tie_break ? `Set ${sets.length}, tie-break` : `Set ${game.set}, game ${game.game}`
}

const sideRow = (number: SideNumber) => {
  const serve = h("span", { class: "serve" })
  const names = h("span", { class: "names" })
  const stake = h("span", { class: "stake" })
  const points = h("td", { class: "points" })
  const player = h("th", { scope: "row", class: "player" }, h("span", { class: "player-line" }, serve, names, stake))
  const element = h("tr", { "data-side": String(number) }, player, points)
  const cells: Array<HTMLElement> = []
  const own = number === 1 ? "side1" : "side2"
  return {
    element,
    update(match: LiveMatch) {
      const { format, game, sets, winner } = match
      while (cells.length < format.best_of) {
        const cell = h("td", { class: "set" })
        cells.push(cell)
        points.before(cell)
      }
      const side = sideOf(match, number)
      const serves = game?.server === number
      const pair = side.players.length > 1
      setAttribute(element, "data-winner", winner === number ? "" : null)
      setAttribute(serve, "data-serves", serves ? "" : null)
      setChildren(serve, String(serves), () => (serves ? [h("span", { class: "unseen" }, "Serves: ")] : []))
      setChildren(names, JSON.stringify([side.players, serves && pair && game.server_player]), () =>
        side.players.map(({ id, name }, index) => {
          const isServer = serves && pair && game.server_player === index + 1
          return h("span", isServer ? { class: "name", "data-serves": "", title: "Serves" } : { class: "name" }, playerLink(id, name))
        }),
      )
      const stakes = game?.stakes[own] ?? null
      setText(stake, stakes === null ? "" : stakeWords(stakes))
      setAttribute(stake, "data-stake", stakes)
      for (const [index, cell] of cells.entries()) {
        const set = sets[index]
        setChildren(cell, set === undefined ? "" : setKey(set, number), () => (set === undefined ? [] : gamesOf(set, number)))
        setAttribute(cell, "data-won", set?.winner === number ? "" : null)
        setAttribute(cell, "data-current", set !== undefined && set.winner === null && match.status === "live" ? "" : null)
      }
      setText(points, game === null ? "" : game.points[own])
    },
  }
}
