/** Wins of two sides, and their shares as a bar. */
import { h } from "@matchpoint/game/pages/parts/dom"

type Pair<A> = readonly [A, A]

export const versus = (names: Pair<Node>, wins: Pair<number>, middle: string) => {
  const bar = h("div", { class: "share-bar", "aria-hidden": "true" }, h("span", { "data-side": "1" }), h("span", { "data-side": "2" }))
  bar.style.setProperty("--one", String(wins[0]))
  bar.style.setProperty("--two", String(wins[1]))
  return h(
    "section",
    { class: "panel totals", "aria-label": "Matches won" },
    side(names[0], wins[0], 1),
    h("span", { class: "totals-middle" }, middle),
    side(names[1], wins[1], 2),
    bar,
  )
}

const side = (name: Node, wins: number, number: 1 | 2) =>
  h("div", { class: "compared", "data-side": String(number) }, h("strong", {}, name), h("span", { class: "big-score" }, String(wins)))
