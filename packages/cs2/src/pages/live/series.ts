/** Overview of the series: small dots (pips) for the maps won, and a card for every map with its score and halves. */
import { h, keyedRows, setAttribute, setChildren, setText, show } from "@matchpoint/game/pages/parts/dom"
import { mapName } from "../format.ts"
import type { LiveMap, LiveMatch } from "../types.ts"

/** Returns as many pips (small dots) as maps are needed to win the series. One is filled for each map won. */
export const seriesPips = (won: number, bestOf: number): ReadonlyArray<HTMLElement> => [
  ...Array.from({ length: Math.floor(bestOf / 2) + 1 }, (_, index) =>
    h("i", { class: index < won ? "pip won" : "pip", "aria-hidden": "true" }),
  ),
  h("span", { class: "unseen" }, ` ${won} of ${Math.floor(bestOf / 2) + 1} maps `),
]

interface MapSlot {
  readonly number: number
  readonly map: LiveMap | undefined
  readonly match: LiveMatch
}

export const seriesMaps = () => {
  const list = h("ol", { class: "maps" })
  const fill = keyedRows(list, (slot: MapSlot) => String(slot.number), mapCard)
  return {
    element: h("section", { class: "series", "aria-label": "Maps of the series" }, list),
    update(match: LiveMatch) {
      // Maps that were not played get no card once the match is finished.
      const slots = match.status === "completed" ? match.maps.length : Math.max(match.bestOf, match.maps.length)
      fill(
        Array.from({ length: slots }, (_, index) => ({
          number: index + 1,
          map: match.maps.find((map) => map.mapNumber === index + 1),
          match,
        })),
      )
    },
  }
}

const mapCard = () => {
  const name = h("strong")
  const status = h("span", { class: "map-status" })
  const score1 = h("b")
  const score2 = h("b")
  const score = h("span", { class: "map-score" }, score1, h("span", {}, ":"), score2)
  const halves = h("span", { class: "map-halves" })
  const pick = h("span", { class: "map-pick" })
  const element = h("li", { class: "map" }, h("span", { class: "map-head" }, name, status), score, halves, pick)
  return {
    element,
    update({ map, match, number }: MapSlot) {
      setAttribute(element, "data-status", map?.status ?? "open")
      setText(name, map === undefined ? `Map ${number}` : mapName(map.mapName))
      setText(status, map === undefined ? "to come" : map.status === "live" ? "in play" : "final")
      show(score, map !== undefined)
      if (map === undefined) return
      setText(score1, map.team1Score)
      setText(score2, map.team2Score)
      const [team1, team2] = match.teams
      setAttribute(score1, "data-winner", map.winnerTeamId === team1.id ? "" : null)
      setAttribute(score2, "data-winner", map.winnerTeamId === team2.id ? "" : null)
      const pairs = map.team1Halves.map((rounds, half) => `${rounds}:${map.team2Halves[half] ?? 0}`)
      setChildren(halves, pairs.join(), () => (pairs.length === 0 ? [] : [h("span", { class: "unseen" }, "Halves "), pairs.join(" · ")]))
      const picker = match.teams.find((team) => team.id === map.pickTeamId)
      setText(pick, picker === undefined ? "" : `Pick of ${picker.name}`)
    },
  }
}
