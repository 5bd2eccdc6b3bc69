/** List of the points of a live match, newest first, with the score after each. */
import { h, keyedRows, setText, show } from "../../parts/dom.ts"
import type { LiveMatch } from "../types.ts"
import { shortName, sideOf } from "../words.ts"
import type { PlayedPoint, ShownEvent } from "./shownEvent.ts"

const SHOWN = 80

const otherEvents: Readonly<Record<Exclude<ShownEvent["type"], "point" | "serve_order_chosen">, string>> = {
  match_started: "The match has started",
  retired: "A player has retired",
  walkover: "Walkover",
  suspended: "Play is suspended",
  resumed: "Play goes on",
  cancelled: "The match was cancelled",
  score_corrected: "The umpire has corrected the score",
}

export const pointFeed = () => {
  const list = h("ol", { class: "feed", tabindex: "0", "aria-label": "Points, newest first" })
  const empty = h("p", { class: "feed-empty" }, "No point has been played yet.")
  let match: LiveMatch | null = null
  const fill = keyedRows(
    list,
    ({ eventId }: ShownEvent) => eventId,
    (event) => ({ element: line(event, match), update: () => {} }),
  )
  const element = h(
    "section",
    { class: "panel feed-panel", "aria-labelledby": "feed-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "feed-heading" }, "Points")),
    list,
    empty,
  )
  return {
    element,
    update(current: LiveMatch, events: ReadonlyArray<ShownEvent>) {
      match = current
      const lines = events.filter(({ type }) => type !== "serve_order_chosen").slice(0, SHOWN)
      fill(lines)
      show(list, lines.length > 0)
      show(empty, lines.length === 0)
      setText(empty, current.status === "live" ? "No point is known yet." : "No points are known.")
    },
  }
}

const line = ({ point, type }: ShownEvent, match: LiveMatch | null) => {
  const element = h("li", { class: "happening", "data-type": point?.won ?? "other" })
  if (point === null || match === null) {
    element.append(type === "point" || type === "serve_order_chosen" ? "Point" : otherEvents[type])
    return element
  }
  element.setAttribute("data-side", String(point.winner))
  element.append(
    h("span", { class: "point-score" }, point.score),
    h("span", { class: "who" }, `${prefix(point)}${shortName(sideOf(match, point.winner))}`),
    ...details(point).map((text) => h("span", { class: "means" }, text)),
  )
  return element
}

const prefix = ({ set, won }: PlayedPoint) => {
  if (won === "point") return ""
  return won === "game" ? "Game " : won === "set" ? `Set ${set} ` : "Match "
}

const details = (point: PlayedPoint) => [
  ...(point.kind === "ace" ? ["ace"] : point.kind === "double_fault" ? ["double fault"] : []),
  ...(point.isBreak ? ["break"] : []),
]
