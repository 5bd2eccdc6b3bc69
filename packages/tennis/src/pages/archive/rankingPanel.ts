/** Curve of a player's ranking over the years, with the career high. */
import { panel } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { svg } from "@matchpoint/game/pages/parts/svg"
import type { RankingCareer, RankingRow } from "../types.ts"
import { type Mark, rankingPath, scaleOf } from "./rankingCurve.ts"

const WIDTH = 1000
const HEIGHT = 260

/** `career` is null if no list has the player. */
export const rankingPanel = (rows: ReadonlyArray<RankingRow>, career: RankingCareer | null) => {
  if (career === null || rows.length === 0)
    return panel("Ranking", h("p", { class: "beside" }, "No list within the plan's history has this player."))
  const { ranks, years } = scaleOf(rows)
  const { rank, date } = career.career_high
  const words = `Career high: number ${rank} on ${date}.`
  const numberOne = career.weeks_at_number_one === 0 ? "" : ` ${career.weeks_at_number_one} lists as number one.`
  const lines = ranks.map(({ at }) => svg("path", { class: "zero", d: `M0 ${Math.round(at * HEIGHT)}H${WIDTH}` }))
  const figure = h(
    "div",
    {
      class: "curve ranking-curve",
      role: "img",
      "aria-label": `Curve of the ranking from ${career.first_date} to ${career.last_date}. ${words}`,
    },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...lines,
      svg("path", { class: "line", d: rankingPath(rows, WIDTH, HEIGHT) }),
    ),
    h("div", { class: "rank-marks" }, ...ranks.map(markOf)),
    h("div", { class: "year-marks" }, ...years.map(markOf)),
  )
  return panel("Ranking", h("p", {}, words, numberOne, ` ${career.weeks} lists.`), figure)
}

const markOf = ({ at, text }: Mark) => {
  const element = h("span", { "aria-hidden": "true" }, text)
  element.style.setProperty("--at", String(at))
  return element
}
