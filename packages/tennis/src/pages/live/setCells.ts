/** Games of one side in each set, as small numbers in a row. */
import { h, setChildren } from "@matchpoint/game/pages/parts/dom"
import type { LiveSet, SideNumber } from "../types.ts"

const own = (side: SideNumber) => (side === 1 ? "side1" : "side2")

/** Games with the points of the tie-break raised for the side that has lost it. */
export const gamesOf = (set: LiveSet, side: SideNumber): ReadonlyArray<Node | string> => {
  const games = String(set[own(side)])
  if (set.tie_break === null || set.winner === side) return [games]
  return [games, h("sup", {}, h("span", { class: "unseen" }, " tie-break "), String(set.tie_break[own(side)]))]
}

/** Changes exactly if the cell of the set changes. */
export const setKey = (set: LiveSet, side: SideNumber) => [set[own(side)], set.tie_break?.[own(side)], set.winner].join()

export const setCells = (place: HTMLElement, sets: ReadonlyArray<LiveSet>, side: SideNumber) =>
  setChildren(place, sets.map((set) => setKey(set, side)).join("|"), () =>
    sets.map((set) => {
      const cell = h("span", set.winner === side ? { class: "won" } : {}, ...gamesOf(set, side), " ")
      return cell
    }),
  )
