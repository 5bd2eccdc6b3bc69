/** List of live matches, with a section for each game. Each match is a card that links to its page. */
import { h, keyedRows, setAttribute, setText, show } from "../parts/dom.ts"
import type { Row, View } from "./GameView.ts"
import type { LiveSection } from "./LiveSection.ts"

export const cardList = <Listed extends Row>(card: (row: Listed) => View<Listed>) => {
  const element = h("ul", { class: "cards" })
  return { element, fill: keyedRows(element, (row: Listed) => row.matchId, card) }
}

/** Outer element of a card. */
export const cardLink = (matchId: string) => h("a", { class: "card", href: `#/match/${matchId}` })

/** `only` is the name of the game to show, or undefined for all games. */
export const matchList = (sections: ReadonlyArray<LiveSection>, only: string | undefined) => {
  const count = h("p", { class: "lead" })
  const empty = h(
    "div",
    { class: "notice" },
    h("h2", {}, "No live matches"),
    h("p", {}, "Nothing is being played right now. The list fills by itself as soon as a feed announces a match: keep this page open."),
  )
  const lists = sections.filter(({ game }) => only === undefined || game === only).map(gameList)
  const filters = h(
    "nav",
    { class: "filters", "aria-label": "Games" },
    filter("All", undefined, only),
    ...sections.map(({ game, title }) => filter(title, game, only)),
  )
  const head = h("div", { class: "list-head" }, h("h1", {}, "Live matches"), count, filters)
  return {
    element: h("div", { class: "list" }, head, ...lists.map(({ element }) => element), empty),
    /** `nowOf` returns the stream time of a game in epoch milliseconds. */
    update(nowOf: (section: LiveSection) => number, loaded: boolean) {
      const counts = lists.map((list) => list.update(nowOf))
      const sum = (name: "live" | "all") => counts.reduce((total, each) => total + each[name], 0)
      setText(count, loaded ? `${sum("live")} in play` : "Looking for matches …")
      show(empty, loaded && sum("all") === 0)
    },
  }
}

const filter = (title: string, game: string | undefined, only: string | undefined) => {
  const link = h("a", { href: `#/${game ?? ""}` }, title)
  setAttribute(link, "aria-current", game === only ? "true" : null)
  return link
}

const gameList = (section: LiveSection) => {
  const heading = h("h2", { id: `${section.game}-heading` }, section.title)
  const list = section.openList()
  const element = h("section", { class: "game-list", "aria-labelledby": heading.id, "data-game": section.game }, heading, list.element)
  return {
    element,
    update(nowOf: (section: LiveSection) => number) {
      const counts = list.update(nowOf(section))
      show(element, counts.all > 0)
      return counts
    },
  }
}
