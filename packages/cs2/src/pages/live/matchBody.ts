import type { MatchView } from "@matchpoint/game/pages/live/GameView"
import { h } from "@matchpoint/game/pages/parts/dom"
import type { Happening, LiveMatch } from "../types.ts"
import { eventFeed } from "./eventFeed.ts"
import { faceOff } from "./faceOff.ts"
import { roundStrip } from "./roundStrip.ts"
import { seriesMaps } from "./series.ts"
import { teamTable } from "./teamTable.ts"

export const matchBody = (): MatchView<LiveMatch, Happening> => {
  const head = faceOff()
  const maps = seriesMaps()
  const rounds = roundStrip()
  const tables = [teamTable(0), teamTable(1)]
  const feed = eventFeed()
  const element = h(
    "div",
    { class: "match-body" },
    head.element,
    maps.element,
    rounds.element,
    h("section", { class: "tables", "aria-label": "Scoreboard" }, ...tables.map((table) => table.element)),
    feed.element,
  )
  return {
    element,
    update(match, happenings) {
      head.update(match)
      maps.update(match)
      rounds.update(match)
      for (const table of tables) table.update(match)
      feed.update(match, happenings)
    },
    tick(match, now) {
      head.tick(match, now)
    },
  }
}
