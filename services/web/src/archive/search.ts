/** Searches the archives of all games at once. Results are grouped by game and kind. */
import { type Client, RequestError } from "@matchpoint/client"
import type { ArchiveSection, FoundGroup, Page } from "@matchpoint/game/pages/archive/ArchiveSection"
import { notice, panel } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import { sections } from "@matchpoint/games/archivePages"

interface Found {
  readonly section: ArchiveSection
  readonly groups: ReadonlyArray<FoundGroup>
}

/**
 * Games that the key's plan does not include are left out. Rejects with the error of the first game if no game could be
 * searched.
 */
export const searchPage = async (client: Client, question: string): Promise<Page> => {
  if (question === "") {
    return { title: "Search", element: startPage() }
  }
  const answers = await Promise.allSettled(sections.map((section) => section.search(client, question)))
  const found = answers.flatMap((answer, index): ReadonlyArray<Found> => {
    const section = sections[index]
    return answer.status === "rejected" || section === undefined ? [] : [{ section, groups: answer.value }]
  })
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []))
  if (found.length === 0) throw failures[0]
  const failed = sections.filter((_, index) => {
    const answer = answers[index]
    return answer?.status === "rejected" && !isNotIncluded(answer.reason)
  })
  return { title: question, ...foundView(question, found, failed) }
}

/** Shown before a search: what can be found, and the pages of the games that need no search. */
const startPage = () => {
  const element = notice("Search", "Teams, players, tournaments and matches, by name. Typing errors are forgiven.")
  const games = sections.filter(({ home }) => home.length > 0)
  element.append(
    ...games.map(({ home, title }) =>
      h(
        "nav",
        { class: "home-links", "aria-label": title },
        h("strong", {}, title),
        ...home.map(({ href, text }) => h("a", { href }, text)),
      ),
    ),
  )
  return element
}

const isNotIncluded = (error: unknown) => error instanceof RequestError && error.code === "GAME_NOT_INCLUDED"

const foundView = (question: string, found: ReadonlyArray<Found>, failed: ReadonlyArray<ArchiveSection>) => {
  const shown = found
    .map(({ groups, section }) => ({ section, groups: groups.filter(({ items }) => items.length > 0) }))
    .filter(({ groups }) => groups.length > 0)
  const count = shown.reduce((sum, { groups }) => sum + groups.reduce((items, group) => items + group.items.length, 0), 0)
  const words = count === 0 ? `Nothing is found for “${question}”.` : `${count} found for “${question}”.`
  const element = h(
    "div",
    { class: "entity found" },
    h("h1", {}, "Search"),
    h("p", { class: "about" }, words),
    ...failed.map(({ title }) => h("p", { class: "refusal" }, `${title} cannot be searched at the moment.`)),
    ...shown.map(({ groups, section }) =>
      h(
        "section",
        { "aria-label": section.title },
        h("h2", { class: "game-title" }, section.title),
        h("div", { class: "found-groups" }, ...groups.map(({ items, title }) => panel(title, h("ul", {}, ...items)))),
      ),
    ),
  )
  return { words, element }
}

/** Moves the focus between the search box and the results. */
export const moveByArrows = (box: HTMLInputElement, results: HTMLElement) => {
  addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    const stops: ReadonlyArray<Element | null> = [box, ...results.querySelectorAll<HTMLElement>(".found li > a")]
    const at = stops.indexOf(document.activeElement)
    const next = at === -1 ? undefined : stops[at + (event.key === "ArrowDown" ? 1 : -1)]
    if (!(next instanceof HTMLElement)) return
    event.preventDefault()
    next.focus()
  })
}
