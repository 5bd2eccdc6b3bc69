/** Points of a live match, newest first, with the score after each. */
import { eventList } from "@matchpoint/game/pages/live/eventList"
import { h } from "@matchpoint/game/pages/parts/dom"
import type { LiveMatch } from "../types.ts"
import { shortName, sideOf } from "../words.ts"
import type { PlayedPoint, ShownEvent } from "./shownEvent.ts"

const otherEvents: Readonly<Record<Exclude<ShownEvent["type"], "point" | "serve_order_chosen">, string>> = {
  match_started: "The match has started",
  retired: "A player has retired",
  walkover: "Walkover",
  suspended: "Play is suspended",
  resumed: "Play goes on",
  cancelled: "The match was cancelled",
  score_corrected: "The umpire has corrected the score",
}

export const pointFeed = () =>
  eventList<LiveMatch, ShownEvent>({
    heading: "Points",
    label: "Points, newest first",
    most: 80,
    isShown: ({ type }) => type !== "serve_order_chosen",
    line: (shown, match) => line(shown, match),
    emptyText: ({ status }) => (status === "live" ? "No point is known yet." : "No points are known."),
  })

const line = ({ point, type }: ShownEvent, match: LiveMatch) => {
  const element = h("li", { class: "happening", "data-type": point?.won ?? "other" })
  if (point === null) {
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
