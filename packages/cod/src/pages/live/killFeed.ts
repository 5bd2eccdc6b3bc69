/** Kills and other events of a live match, newest first. */
import { eventList } from "@matchpoint/game/pages/live/eventList"
import { h } from "@matchpoint/game/pages/parts/dom"
import type { ShownEvent } from "./shownEvent.ts"
import type { LiveMatch } from "./types.ts"
import { eventWords, handleOf } from "./words.ts"

export const killFeed = () =>
  eventList<LiveMatch, ShownEvent>({
    heading: "Kill feed",
    label: "Kills and rounds, newest first",
    most: 60,
    isShown: ({ event }, match) => event.type === "kill" || eventWords(match, event) !== undefined,
    line: (shown, match) => line(shown, match),
    emptyText: ({ status }) => (status === "live" ? "No kill is known yet." : "No kills are known."),
  })

const line = ({ event }: ShownEvent, match: LiveMatch) => {
  const element = h("li", { class: "happening", "data-type": event.type })
  if (event.team !== undefined) element.setAttribute("data-side", String(event.team))
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
