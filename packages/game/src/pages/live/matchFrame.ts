/** Page of one live match: a link back to the list, and the content that the game draws. */
import { h, setAttribute, show } from "../parts/dom.ts"
import { icon } from "../parts/icons.ts"

export const matchFrame = (body: HTMLElement) => {
  const missing = h("p")
  const notice = h(
    "div",
    { class: "notice" },
    h("h2", {}, "This match is not here"),
    missing,
    h("p", {}, h("a", { href: "#/" }, "See what is live")),
  )
  const loading = h("p", { class: "notice" }, "Waiting for the first word of this match …")
  const element = h(
    "article",
    { class: "match" },
    h("a", { class: "back", href: "#/" }, icon("back"), "All live matches"),
    loading,
    notice,
    body,
  )
  const showOnly = (shown: HTMLElement) => {
    for (const part of [loading, notice, body]) show(part, part === shown)
  }
  showOnly(loading)
  return {
    element,
    present(status: string) {
      setAttribute(element, "data-status", status)
      showOnly(body)
    },
    absent(why: string) {
      missing.textContent = why
      showOnly(notice)
    },
  }
}
