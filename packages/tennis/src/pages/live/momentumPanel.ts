/** Curve of the momentum of a live match, with the ends of sets and the breaks. */
import { h, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { svg } from "@matchpoint/game/pages/parts/svg"
import type { LiveMatch } from "../types.ts"
import { shortName } from "../words.ts"
import { areaPath, curveOf, linePath, roomFor } from "./momentumCurve.ts"
import type { ShownEvent } from "./shownEvent.ts"

const WIDTH = 1000
const HEIGHT = 200

export const momentumPanel = () => {
  const now = h("p", { class: "momentum-now" })
  const above = svg("path", { class: "area", "data-side": 1 })
  const below = svg("path", { class: "area", "data-side": 2 })
  const line = svg("path", { class: "line" })
  const breaks = [svg("path", { class: "breaks", "data-side": 1 }), svg("path", { class: "breaks", "data-side": 2 })] as const
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    above,
    below,
    line,
    ...breaks,
  )
  const names = [h("span", { "data-side": "1" }), h("span", { "data-side": "2" })] as const
  const sets = h("div", { class: "set-marks", "aria-hidden": "true" })
  const figure = h("div", { class: "curve", role: "img" }, drawing, sets, ...names)
  const element = h(
    "section",
    { class: "panel momentum-panel", "aria-labelledby": "momentum-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "momentum-heading" }, "Momentum"), now),
    figure,
    h("p", { class: "hint" }, "Which side won more of the recent points; important points count more. Dots are breaks."),
  )
  return {
    element,
    update(match: LiveMatch, events: ReadonlyArray<ShownEvent>) {
      const played = events.filter(({ point }) => point !== null).sort((a, b) => a.seq - b.seq)
      const curve = curveOf(played.map(({ momentum }) => momentum))
      setAttribute(line, "d", linePath(curve, WIDTH, HEIGHT))
      setAttribute(above, "d", areaPath(curve, 1, WIDTH, HEIGHT))
      setAttribute(below, "d", areaPath(curve, -1, WIDTH, HEIGHT))
      for (const [index, path] of breaks.entries()) setAttribute(path, "d", breakDots(played, curve, index + 1))
      setText(names[0], shortName(match.side1))
      setText(names[1], shortName(match.side2))
      setText(now, nowWords(match))
      setAttribute(figure, "aria-label", `Curve of ${played.length} points. Now: ${nowWords(match)}.`)
      drawSets(sets, played)
    },
  }
}

/** Words such as `Ulemann 31%`. */
const nowWords = (match: LiveMatch) => {
  const { momentum } = match
  if (momentum === 0) return "even"
  return `${shortName(momentum > 0 ? match.side1 : match.side2)} ${Math.round(Math.abs(momentum) * 100)}%`
}

/** Lines of no length with round ends, which stay round in a stretched drawing. */
const breakDots = (played: ReadonlyArray<ShownEvent>, curve: ReturnType<typeof curveOf>, side: number) =>
  played
    .flatMap(({ point }, index) => {
      const at = curve[index + 1]
      return point !== null && at !== undefined && point.isBreak && point.winner === side ? [`${linePath([at], WIDTH, HEIGHT)}h0`] : []
    })
    .join("")

const drawSets = (place: HTMLElement, played: ReadonlyArray<ShownEvent>) => {
  const room = roomFor(played.length)
  const ends = played.flatMap(({ point }, index) =>
    point?.won === "set" || point?.won === "match" ? [{ at: (index + 1) / room, set: point.set }] : [],
  )
  setChildren(place, JSON.stringify(ends), () =>
    ends.map(({ at, set }) => {
      const mark = h("span", {}, `Set ${set}`)
      mark.style.setProperty("--at", String(at))
      return mark
    }),
  )
}
