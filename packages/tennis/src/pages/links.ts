/** Links between the tennis pages. */
import { h } from "@matchpoint/game/pages/parts/dom"

type Page = "matches" | "players" | "tournaments"

export const pathTo = (page: Page, id: string) => `/tennis/${page}/${encodeURIComponent(id)}`

export const linkTo = (page: Page, id: string, text: string) => h("a", { href: pathTo(page, id) }, text)

/** Returns a link to a player, or the plain name of a player who has no id. */
export const playerLink = (id: string | null, name: string): Node | string => (id === null ? name : linkTo("players", id, name))

/** Path of the page that compares two players. Either may be undefined, which the page then asks for. */
export const headToHeadPath = (player1: string | undefined, player2: string | undefined) => {
  const query = new URLSearchParams()
  if (player1 !== undefined) query.set("player1", player1)
  if (player2 !== undefined) query.set("player2", player2)
  return query.size === 0 ? "/tennis/h2h" : `/tennis/h2h?${query}`
}
