import { h } from "@matchpoint/game/pages/parts/dom"

export const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no #${id}`)
  return element
}

/** Notice that replaces the content of the page. */
export const failureNotice = (error: unknown): HTMLElement =>
  h("div", { class: "notice", role: "alert" }, h("h1", {}, "This page could not start"), h("p", {}, String(error)))
