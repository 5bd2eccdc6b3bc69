/** Rounds of the current map, grouped by halves and overtimes, each with its winner and how it was won. */
import { h, keyedRows, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { icon } from "@matchpoint/game/pages/parts/icons"
import { mapName, winTypes } from "../format.ts"
import type { LiveMatch, LiveRound } from "../types.ts"

import type { Half } from "./halves.ts"
import { halvesOf } from "./halves.ts"

interface HalfOfMatch {
  readonly half: Half
  readonly match: LiveMatch
}

interface RoundOfMatch {
  readonly number: number
  readonly result: LiveRound | undefined
  readonly match: LiveMatch
}

export const roundStrip = () => {
  const heading = h("h2")
  const names = [h("span"), h("span")]
  const strip = h("div", { class: "strip" })
  const fill = keyedRows(strip, ({ half }: HalfOfMatch) => String(half.from), halfBlock)
  const element = h(
    "section",
    { class: "panel rounds-panel", "aria-labelledby": "rounds-heading" },
    h("div", { class: "panel-head" }, heading),
    h("div", { class: "strip-frame" }, h("div", { class: "strip-names", "aria-hidden": "true" }, ...names), strip),
  )
  heading.id = "rounds-heading"
  return {
    element,
    update(match: LiveMatch) {
      const map = match.maps.at(-1)
      setText(heading, map === undefined ? "Rounds" : `Rounds on ${mapName(map.mapName)}`)
      match.teams.forEach((team, index) => {
        const name = names[index]
        if (name !== undefined) setText(name, team.name)
      })
      const round = map?.status === "completed" ? map.durationRounds : (match.game?.round ?? 0)
      fill(halvesOf(match.rules, round).map((half) => ({ half, match })))
    },
  }
}

const halfBlock = ({ half }: HalfOfMatch) => {
  const cells = h("ol", { class: "cells", start: String(half.from) })
  const label = h("span", { class: "half-label", "aria-hidden": "true" })
  const element = h("div", { class: half.overtime ? "half overtime" : "half", role: "group" }, cells, label)
  const fill = keyedRows(cells, ({ number }: RoundOfMatch) => String(number), roundCell)
  return {
    element,
    update({ half: current, match }: HalfOfMatch) {
      const length = current.to - current.from + 1
      element.style.setProperty("--rounds", String(length))
      setAttribute(element, "aria-label", current.words)
      setText(label, current.short)
      fill(
        Array.from({ length }, (_, index) => {
          const number = current.from + index
          return { number, result: match.rounds.find((round) => round.round === number), match }
        }),
      )
    },
  }
}

const roundCell = () => {
  const element = h("li", { class: "cell" })
  return {
    element,
    update({ match, number, result }: RoundOfMatch) {
      const current = result === undefined && match.status === "live" && match.game?.round === number
      setAttribute(element, "data-current", current ? "" : null)
      setAttribute(element, "data-side", result?.winner ?? null)
      const winner = result === undefined ? -1 : match.teams.findIndex((team) => team.id === result.winnerTeamId)
      setAttribute(element, "data-team", winner < 0 ? null : String(winner + 1))
      const words =
        result === undefined ? (current ? `Round ${number}, in play` : `Round ${number}, not played yet`) : roundText(match, result)
      setAttribute(element, "title", words)
      setChildren(element, words, () => [
        ...(result === undefined ? [] : [icon(winTypes[result.winType].icon)]),
        h("span", { class: "unseen" }, words),
      ])
    },
  }
}

const roundText = (match: LiveMatch, round: LiveRound) => {
  const winner = match.teams.find((team) => team.id === round.winnerTeamId)?.name ?? round.winner
  const ctFirst = round.winner === "CT"
  const score = ctFirst ? `${round.ctScore}:${round.tScore}` : `${round.tScore}:${round.ctScore}`
  return `Round ${round.round}: ${winner} as ${round.winner}, ${winTypes[round.winType].words}, ${score}`
}
