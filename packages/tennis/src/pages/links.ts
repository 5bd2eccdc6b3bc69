import { h } from "@matchpoint/game/pages/parts/dom"

type Page = "matches" | "players" | "tournaments"

export const pathTo = (page: Page, id: string) => `/tennis/${page}/${encodeURIComponent(id)}`

export const linkTo = (page: Page, id: string, text: string) => h("a", { href: pathTo(page, id) }, text)

/** The plain name if the player has no id. */
export const playerLink = (id: string | null, name: string): Node | string => (id === null ? name : linkTo("players", id, name))

/** The page asks for a player that is undefined. */
export const headToHeadPath = (player1: string | undefined, player2: string | undefined) => {
  const query = new URLSearchParams()
  if (player1 !== undefined) query.set("player1", player1)
  if (player2 !== undefined) query.set("player2", player2)
  return query.size === 0 ? "/tennis/h2h" : `/tennis/h2h?${query}`
}
