/** Statistics of both sides of a live match, side by side. */
import { h, setText, show } from "@matchpoint/game/pages/parts/dom"
import type { LiveMatch } from "../types.ts"
import { fullName } from "../words.ts"

type Statistics = LiveMatch["statistics"]["side1"]

interface Line {
  readonly words: string
  readonly text: (own: Statistics) => string
  /** Length of the bar: a count, or a share from 0 to 1. */
  readonly value: (own: Statistics) => number
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const ofTotal = (part: number, whole: number) => (whole === 0 ? "–" : `${part}/${whole} (${Math.round(share(part, whole) * 100)}%)`)

const lines: ReadonlyArray<Line> = [
  { words: "Points won", text: (own) => String(own.points_won), value: (own) => own.points_won },
  { words: "Aces", text: (own) => String(own.aces), value: (own) => own.aces },
  { words: "Double faults", text: (own) => String(own.double_faults), value: (own) => own.double_faults },
  {
    words: "Serve points won",
    text: (own) => ofTotal(own.serve_points_won, own.serve_points),
    value: (own) => share(own.serve_points_won, own.serve_points),
  },
  {
    words: "Service games won",
    text: (own) => ofTotal(own.service_games_won, own.service_games),
    value: (own) => share(own.service_games_won, own.service_games),
  },
  {
    words: "Break points saved",
    text: (own) => ofTotal(own.break_points_saved, own.break_points_faced),
    value: (own) => share(own.break_points_saved, own.break_points_faced),
  },
]

export const statisticsPanel = () => {
  const names = [h("th", { scope: "col", "data-side": "1" }), h("th", { scope: "col", "data-side": "2" })] as const
  const rows = lines.map(statisticRow)
  const missing = h("p", { class: "hint" }, "Points are missing, so the real numbers are higher.")
  const element = h(
    "section",
    { class: "panel statistics-panel", "aria-labelledby": "statistics-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "statistics-heading" }, "Statistics")),
    h(
      "table",
      { class: "versus", "aria-labelledby": "statistics-heading" },
      h("thead", {}, h("tr", {}, names[0], h("td"), names[1])),
      h("tbody", {}, ...rows.map((row) => row.element)),
    ),
    missing,
  )
  return {
    element,
    update({ side1, side2, statistics }: LiveMatch) {
      setText(names[0], fullName(side1))
      setText(names[1], fullName(side2))
      for (const row of rows) row.update(statistics.side1, statistics.side2)
      show(missing, !statistics.is_complete)
    },
  }
}

const statisticRow = ({ text, value, words }: Line) => {
  const bars = [h("span", { class: "bar", "data-side": "1" }), h("span", { class: "bar", "data-side": "2" })] as const
  const texts = [h("span"), h("span")] as const
  const element = h("tr", {}, h("td", {}, texts[0], bars[0]), h("th", { scope: "row" }, words), h("td", {}, texts[1], bars[1]))
  return {
    element,
    update(one: Statistics, two: Statistics) {
      setText(texts[0], text(one))
      setText(texts[1], text(two))
      const larger = Math.max(value(one), value(two))
      bars[0].style.setProperty("--share", String(share(value(one), larger)))
      bars[1].style.setProperty("--share", String(share(value(two), larger)))
    },
  }
}
