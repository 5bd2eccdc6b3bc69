/** Card in the list of live matches. */
import type { Row } from "@matchpoint/game/pages/live/GameView"
import { cardLink } from "@matchpoint/game/pages/live/matchList"
import { h, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { clockTime } from "@matchpoint/game/pages/parts/format"
import type { LiveMatch, LiveRow, SideNumber } from "../types.ts"
import { fullName, placeWords, shortName, sideOf, stakeWords } from "../words.ts"
import { setCells } from "./setCells.ts"

export interface ListRow extends Row {
  readonly match: LiveRow
  readonly winner: SideNumber | null
}

export const rowOfItem = (match: LiveRow, matchId: string): ListRow => ({ matchId, status: match.status, match, winner: null })

export const rowOfMatch = (match: LiveMatch, matchId: string): ListRow => ({
  matchId,
  status: match.status,
  match,
  winner: match.winner,
})

export const matchCard = ({ matchId }: ListRow) => {
  const status = h("span", { class: "status" })
  const event = h("span", { class: "event" })
  const sides = [sideLine(1), sideLine(2)]
  const place = h("span")
  const stake = h("span", { class: "stake-words" })
  const link = cardLink(matchId)
  link.append(
    h("span", { class: "card-head" }, event, status),
    ...sides.map(({ element }) => element),
    h("span", { class: "card-foot" }, place, stake),
  )
  return {
    element: h("li", {}, link),
    update(row: ListRow) {
      const { match } = row
      setAttribute(link, "data-status", match.silence?.status ?? row.status)
      setText(event, placeWords(match))
      setText(status, statusWords(match))
      for (const side of sides) side.update(row)
      setText(place, whereWords(match))
      setText(stake, bestStake(match))
    },
  }
}

const statusWords = ({ silence, status, suspended_at }: LiveRow) => {
  if (silence !== null) return `${silence.status === "stale" ? "Stale" : "Interrupted"} · last report ${clockTime(silence.since)}`
  if (status === "live") return suspended_at === null ? "Live" : "Suspended"
  return { upcoming: "Soon", completed: "Final", cancelled: "Cancelled" }[status]
}

const whereWords = ({ format, game, sets, status }: LiveRow) => {
  const set = status !== "live" || sets.length === 0 ? `Best of ${format.best_of}` : `Set ${sets.length}`
  return game?.is_tie_break === true ? `${set} · tie-break` : set
}

/** The most that a side wins with the next point, if it is more than a game on its own serve. */
const bestStake = (match: LiveRow) => {
  const sides = [1, 2] as const
  for (const side of sides) {
    const stake = match.game?.stakes[side === 1 ? "side1" : "side2"]
    if (stake !== null && stake !== undefined && stake !== "game_point") return `${stakeWords(stake)} ${shortName(sideOf(match, side))}`
  }
  return ""
}

const sideLine = (number: SideNumber) => {
  const serve = h("span", { class: "serve" })
  const name = h("span", { class: "team-name" })
  const sets = h("span", { class: "set-cells" })
  const points = h("span", { class: "rounds" })
  const element = h("span", { class: "team-line", "data-side": String(number) }, serve, name, sets, points)
  return {
    element,
    update({ match, winner }: ListRow) {
      const { game } = match
      const serves = game?.server === number
      setAttribute(element, "data-winner", winner === number ? "" : null)
      setChildren(serve, String(serves), () => (serves ? [h("span", { class: "unseen" }, "serves ")] : []))
      setAttribute(serve, "data-serves", serves ? "" : null)
      const side = sideOf(match, number)
      // A card has no room for the whole names of a pair.
      setText(name, side.players.length > 1 ? shortName(side) : fullName(side))
      setCells(sets, match.sets, number)
      setText(points, game === null ? "" : game.points[number === 1 ? "side1" : "side2"])
    },
  }
}
