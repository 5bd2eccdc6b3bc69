import type { MatchView } from "@matchpoint/game/pages/live/GameView"
import { h } from "@matchpoint/game/pages/parts/dom"
import type { LiveMatch } from "../types.ts"
import { momentumPanel } from "./momentumPanel.ts"
import { pointFeed } from "./pointFeed.ts"
import { scoreboard } from "./scoreboard.ts"
import type { ShownEvent } from "./shownEvent.ts"
import { statisticsPanel } from "./statisticsPanel.ts"

export const matchBody = (): MatchView<LiveMatch, ShownEvent> => {
  const score = scoreboard()
  const momentum = momentumPanel()
  const statistics = statisticsPanel()
  const points = pointFeed()
  return {
    element: h("div", { class: "tennis-body" }, score.element, momentum.element, statistics.element, points.element),
    update(match, events) {
      score.update(match)
      momentum.update(match, events)
      statistics.update(match)
      points.update(match, events)
    },
    tick(match, now) {
      score.tick(match, now)
    },
  }
}
