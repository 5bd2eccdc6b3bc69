/** Kills and other events of a live match, newest first. */
import { h, keyedRows, setText, show } from "../../parts/dom.ts"
import type { ShownEvent } from "./shownEvent.ts"
import type { LiveMatch } from "./types.ts"
import { eventWords, handleOf } from "./words.ts"

const SHOWN = 60

export const killFeed = () => {
  const list = h("ol", { class: "feed", tabindex: "0", "aria-label": "Kills and rounds, newest first" })
  const empty = h("p", { class: "feed-empty" })
  let match: LiveMatch | null = null
  const fill = keyedRows(
    list,
    ({ eventId }: ShownEvent) => eventId,
    (shown) => ({ element: line(shown, match), update: () => {} }),
  )
  const element = h(
    "section",
    { class: "panel feed-panel", "aria-labelledby": "feed-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "feed-heading" }, "Kill feed")),
    list,
    empty,
  )
  return {
    element,
    update(current: LiveMatch, events: ReadonlyArray<ShownEvent>) {
      match = current
      const lines = events.filter(({ event }) => event.type === "kill" || eventWords(current, event) !== undefined).slice(0, SHOWN)
      fill(lines)
      show(list, lines.length > 0)
      show(empty, lines.length === 0)
      setText(empty, current.status === "live" ? "No kill is known yet." : "No kills are known.")
    },
  }
}

const line = ({ event }: ShownEvent, match: LiveMatch | null) => {
  const element = h("li", { class: "happening", "data-type": event.type })
  if (event.team !== undefined) element.setAttribute("data-side", String(event.team))
  if (match === null) return element
  if (event.type !== "kill") {
    element.append(eventWords(match, event) ?? "")
    return element
  }
  const victim = h("span", { class: "who" }, handleOf(match, event.victim ?? ""))
  if (event.attacker === undefined) element.append(victim, " dies")
  else {
    const weapon = h("span", { class: "means" }, event.weapon ?? "kills")
    element.append(h("span", { class: "who" }, handleOf(match, event.attacker)), " ", weapon, " ", victim)
  }
  for (const mark of [event.isFirstBlood === true ? "first blood" : "", event.isTrade === true ? "trade" : ""]) {
    if (mark !== "") element.append(" ", h("span", { class: "means" }, mark))
  }
  return element
}
