import { type SectionLink, sectionNav } from "@matchpoint/game/pages/archive/sectionParts"
import { h } from "@matchpoint/game/pages/parts/dom"

type Page = "events" | "players" | "tournaments"

export const pathTo = (page: Page, id: string) => `/apex/${page}/${encodeURIComponent(id)}`

export const linkTo = (page: Page, id: string, text: string) => h("a", { href: pathTo(page, id) }, text)

/** The plain name if the player has no id. */
export const playerLink = ({ id, name }: { readonly id: string | null; readonly name: string }): Node | string =>
  id === null ? name : linkTo("players", id, name)

export const EVENTS = "/apex/events"
export const TRANSACTIONS = "/apex/transactions"

const links: ReadonlyArray<SectionLink> = [
  { href: EVENTS, text: "Series" },
  { href: TRANSACTIONS, text: "Transactions" },
  { href: "/#/apex", text: "Live lobbies" },
]

export const apexNav = (current = "") => sectionNav("Apex", links, current)
