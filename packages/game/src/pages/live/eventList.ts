/** Panel with the events of a match, newest first. A game selects the events and draws their lines. */
import { h, keyedRows, setText, show } from "../parts/dom.ts"
import type { StoredEvent } from "./LiveStore.ts"

export interface EventListOptions<Match, Shown extends StoredEvent> {
  readonly heading: string
  /** Label for screen readers. */
  readonly label: string
  readonly most: number
  readonly isShown: (event: Shown, match: Match) => boolean
  readonly line: (event: Shown, match: Match) => HTMLElement
  /** Text in place of an empty list. */
  readonly emptyText: (match: Match) => string
}

export const eventList = <Match, Shown extends StoredEvent>(options: EventListOptions<Match, Shown>) => {
  const list = h("ol", { class: "feed", tabindex: "0", "aria-label": options.label })
  const empty = h("p", { class: "feed-empty" })
  let match: Match | undefined
  const fill = keyedRows(
    list,
    ({ eventId }: Shown) => eventId,
    (event) => ({ element: match === undefined ? h("li") : options.line(event, match), update: () => {} }),
  )
  const element = h(
    "section",
    { class: "panel feed-panel", "aria-labelledby": "feed-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "feed-heading" }, options.heading)),
    list,
    empty,
  )
  return {
    element,
    update(current: Match, events: ReadonlyArray<Shown>) {
      match = current
      const lines = events.filter((event) => options.isShown(event, current)).slice(0, options.most)
      fill(lines)
      show(list, lines.length > 0)
      show(empty, lines.length === 0)
      setText(empty, options.emptyText(current))
    },
  }
}
