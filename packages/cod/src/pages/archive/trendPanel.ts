/** The curve of a player's statistic, and its points as a table. */
import { panel, table } from "@matchpoint/game/pages/archive/archiveParts"
import { nothing } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { svg } from "@matchpoint/game/pages/parts/svg"
import { gapWords } from "./gapWords.ts"
import { heightOf, type Scale, scaleOf, trendPath } from "./trendCurve.ts"
import type { Trends } from "./types.ts"

const WIDTH = 1000
const HEIGHT = 200

export const trendPanel = (trends: Trends, choices: Node) =>
  panel(
    "Trend",
    choices,
    ...(trends.data.length === 0 ? [nothing(gapWords(trends.gaps, "average") ?? "There is no point.")] : shownTrend(trends)),
  )

const shownTrend = ({ average, data, formula, gaps, stat, trend, unit }: Trends) => {
  const values = data.map(({ value }) => value)
  const scale = scaleOf(values, average)
  const mean = average === null ? "" : ` Average ${numberText(average)}.`
  const words = `${trend === null ? (gapWords(gaps, "trend") ?? "") : `The trend is ${trend}.`}${mean}`
  return [
    h("p", {}, `${words} ${formula}, ${unit}.`),
    h(
      "div",
      { class: "curve trend-curve", role: "img", "aria-label": `Curve of ${stat} over ${data.length} points. ${words}` },
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        ...(average === null ? [] : [svg("path", { class: "zero", d: `M0 ${Math.round(heightOf(average, scale) * HEIGHT)}H${WIDTH}` })]),
        svg("path", { class: "line", d: trendPath(values, scale, WIDTH, HEIGHT) }),
      ),
      h("div", { class: "rank-marks" }, ...marks(average, scale)),
    ),
    h(
      "details",
      { class: "points" },
      h("summary", {}, `${data.length} points`),
      table(
        ["Date", "", "Value"],
        [...data].reverse().map(({ date, label, value }) => [date === null ? "–" : date.slice(0, 10), label, numberText(value)]),
        "Points of the curve, newest first",
      ),
    ),
  ]
}

const marks = (average: number | null, scale: Scale) =>
  average === null
    ? []
    : [average].map((value) => {
        const mark = h("span", { "aria-hidden": "true" }, numberText(value))
        mark.style.setProperty("--at", String(heightOf(value, scale)))
        return mark
      })

const numberText = (value: number) => value.toFixed(Math.abs(value) < 10 ? 2 : 0)
