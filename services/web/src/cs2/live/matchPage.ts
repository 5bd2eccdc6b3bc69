/** Page of one live match: header, maps, rounds, both teams and events. Each of these sections updates itself. */
import { h, setAttribute, show } from "../../parts/dom.ts"
import { icon } from "../../parts/icons.ts"
import type { Happening } from "../types.ts"
import { eventFeed } from "./eventFeed.ts"
import { faceOff } from "./faceOff.ts"
import type { Known } from "./LiveStore.ts"
import { roundStrip } from "./roundStrip.ts"
import { seriesMaps } from "./series.ts"
import { teamTable } from "./teamTable.ts"

export const matchPage = () => {
  const head = faceOff()
  const maps = seriesMaps()
  const rounds = roundStrip()
  const tables = [teamTable(0), teamTable(1)]
  const feed = eventFeed()
  const missing = h("p")
  const notice = h(
    "div",
    { class: "notice" },
    h("h2", {}, "This match is not here"),
    missing,
    h("p", {}, h("a", { href: "#/" }, "See what is live")),
  )
  const loading = h("p", { class: "notice" }, "Waiting for the first word of this match …")
  const body = h(
    "div",
    { class: "match-body" },
    head.element,
    maps.element,
    rounds.element,
    h("section", { class: "tables", "aria-label": "Scoreboard" }, ...tables.map((table) => table.element)),
    feed.element,
  )
  const element = h(
    "article",
    { class: "match" },
    h("a", { class: "back", href: "#/" }, icon("back"), "All live matches"),
    loading,
    notice,
    body,
  )
  show(notice, false)
  show(body, false)
  return {
    element,
    update({ match }: Known, happenings: ReadonlyArray<Happening>) {
      show(loading, false)
      show(notice, false)
      show(body, true)
      setAttribute(element, "data-status", match.status)
      head.update(match)
      maps.update(match)
      rounds.update(match)
      for (const table of tables) table.update(match)
      feed.update(match, happenings)
    },
    tick({ match }: Known, now: number) {
      head.tick(match, now)
    },
    absent(why: string) {
      missing.textContent = why
      show(loading, false)
      show(body, false)
      show(notice, true)
    },
  }
}
