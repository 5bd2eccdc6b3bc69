/** Maps won, the maps with their scores, and the state of the map in progress. */
import { h, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { teamLink } from "../archive/links.ts"
import type { LiveMap, LiveMatch } from "./types.ts"
import { mapWords, shortMode, teamOf } from "./words.ts"

export const scorePanel = () => {
  const names = [h("span", { class: "cod-team", "data-side": "1" }), h("span", { class: "cod-team", "data-side": "2" })] as const
  const scores = [h("b", { class: "cod-score" }), h("b", { class: "cod-score" })] as const
  const state = h("p", { class: "cod-state", role: "status" })
  const maps = h("ol", { class: "cod-maps", "aria-label": "Maps" })
  const element = h(
    "section",
    { class: "panel cod-score-panel", "aria-label": "Score" },
    h("div", { class: "cod-head" }, names[0], scores[0], h("span", { class: "unseen" }, " to "), scores[1], names[1]),
    state,
    maps,
  )
  return {
    element,
    update(match: LiveMatch) {
      for (const [index, team] of ([1, 2] as const).entries()) {
        const name = names[index === 0 ? 0 : 1]
        const shown = teamOf(match, team)
        setChildren(name, JSON.stringify([shown.slug, shown.name]), () => [teamLink(shown)])
        setAttribute(name, "data-winner", match.winner === team ? "" : null)
        setText(scores[index === 0 ? 0 : 1], shown.score)
      }
      setText(state, stateWords(match))
      setChildren(maps, JSON.stringify(match.maps), () => match.maps.map((map) => mapCell(map, match)))
    },
  }
}

const mapCell = (map: LiveMap, match: LiveMatch) => {
  const score = map.status === "upcoming" ? "–" : `${map.team1Score}–${map.team2Score}`
  const winner = map.winner === null ? "" : ` won by ${teamOf(match, map.winner).name}`
  return h(
    "li",
    { "data-status": map.status, "data-winner": String(map.winner ?? "") },
    h("span", { class: "cod-mode", title: map.gameMode }, shortMode(map.gameMode)),
    h("span", {}, map.mapName),
    h("b", {}, score),
    h("span", { class: "unseen" }, winner),
  )
}

/** Line about the map in progress: hill, bomb, lives or zones. */
const stateWords = (match: LiveMatch): string => {
  const { currentMap, suspension } = match
  if (suspension !== null) return suspension.team === null ? "Play is suspended" : `Timeout ${teamOf(match, suspension.team).name}`
  if (currentMap === null) return match.status === "live" ? "Between maps" : ""
  const { attacker, hill, round } = currentMap
  const parts = [mapWords(currentMap)]
  if (hill !== null) {
    const holder = hill.isContested ? "contested" : hill.holder === null ? "nobody on it" : `held by ${teamOf(match, hill.holder).name}`
    parts.push(`hill ${hill.hill}, ${holder}`)
  }
  if (round !== null) {
    parts.push(`round ${round.round}`)
    if (round.alive !== null) parts.push(`${round.alive.team1} against ${round.alive.team2}`)
    if (round.lives !== null) parts.push(`lives ${round.lives.team1}–${round.lives.team2}`)
    if (round.zones !== null) parts.push(`zones A ${round.zones.a}/3, B ${round.zones.b}/3`)
    if (round.bomb !== null) parts.push(`bomb ${round.bomb.status} at ${round.bomb.site.toUpperCase()}`)
  }
  if (attacker !== null) parts.push(`${teamOf(match, attacker).name} attacks`)
  return parts.join(" · ")
}
