/** Finds a player while the visitor types: a combobox. Arrow keys move, Enter takes a hit, Escape closes the list. */
import type { Client } from "@matchpoint/client"
import { h, setAttribute, show } from "@matchpoint/game/pages/parts/dom"
import type { PlayerHit } from "../types.ts"

/** How long the visitor must stop typing before a request is sent. */
const PAUSE_MS = 150

/** `id` must be unique in the document. `text` is the field's first content. */
export const playerPicker = (client: Client, id: string, label: string, text: string, onPick: (playerId: string) => void) => {
  const listId = `${id}-list`
  const input = h("input", {
    id,
    type: "search",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "100",
    "aria-autocomplete": "list",
    "aria-controls": listId,
    "aria-expanded": "false",
  })
  input.value = text
  const list = h("ul", { id: listId, role: "listbox", "aria-label": label })
  const status = h("p", { role: "status", class: "beside" })
  const element = h("div", { class: "picker" }, h("label", { for: id }, label), input, list, status)
  let hits: ReadonlyArray<PlayerHit> = []
  let active = -1
  let newest = 0

  const present = (found: ReadonlyArray<PlayerHit>) => {
    hits = found
    active = -1
    status.textContent = ""
    list.replaceChildren(...found.map(option))
    mark()
  }
  const mark = () => {
    show(list, hits.length > 0)
    setAttribute(input, "aria-expanded", String(hits.length > 0))
    setAttribute(input, "aria-activedescendant", active < 0 ? null : `${id}-${active}`)
    for (const [index, item] of [...list.children].entries()) setAttribute(item, "aria-selected", String(index === active))
  }
  const pick = (hit: PlayerHit) => {
    input.value = hit.name
    present([])
    onPick(hit.id)
  }
  const option = (hit: PlayerHit, index: number) => {
    const details = [hit.tour, hit.country].filter((part) => part !== null).join(", ")
    const item = h("li", { id: `${id}-${index}`, role: "option" }, hit.name, " ", h("span", { class: "beside" }, details))
    // `mousedown` comes before the field loses the focus, which closes the list.
    item.addEventListener("mousedown", (event) => {
      event.preventDefault()
      pick(hit)
    })
    return item
  }
  const ask = async () => {
    newest += 1
    const turn = newest
    const q = input.value.trim()
    const found = q === "" ? [] : (await client.get("/tennis/players/search", { query: { q, limit: 8 } })).data
    if (turn === newest && document.activeElement === input) present(found)
  }
  const failed = (cause: unknown) => {
    present([])
    status.textContent = `The search failed (${cause instanceof Error ? cause.message : String(cause)}). Type another letter to search again.`
  }
  let pause: ReturnType<typeof setTimeout> | undefined
  input.addEventListener("input", () => {
    clearTimeout(pause)
    pause = setTimeout(() => void ask().catch(failed), PAUSE_MS)
  })
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return present([])
    if (hits.length === 0) return
    const hit = hits[active]
    if (event.key === "Enter" && hit !== undefined) pick(hit)
    else if (event.key === "ArrowDown") active = (active + 1) % hits.length
    else if (event.key === "ArrowUp") active = (active - 1 + hits.length) % hits.length
    else return
    event.preventDefault()
    mark()
  })
  input.addEventListener("blur", () => present([]))
  mark()
  return { element, input }
}
