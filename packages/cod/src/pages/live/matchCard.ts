import type { Row } from "@matchpoint/game/pages/live/GameView"
import { cardLink } from "@matchpoint/game/pages/live/matchList"
import { h, setAttribute, setText } from "@matchpoint/game/pages/parts/dom"
import { clockTime } from "@matchpoint/game/pages/parts/format"
import type { LiveMatch, LiveRow, TeamNumber } from "./types.ts"
import { mapWords, placeWords, teamOf } from "./words.ts"

export interface ListRow extends Row {
  readonly match: LiveRow
}

export const rowOfItem = (match: LiveRow, matchId: string): ListRow => ({ matchId, status: match.status, match })
export const rowOfMatch = (match: LiveMatch, matchId: string): ListRow => ({ matchId, status: match.status, match })

export const matchCard = ({ matchId }: ListRow) => {
  const status = h("span", { class: "status" })
  const event = h("span", { class: "event" })
  const teams = [teamLine(1), teamLine(2)]
  const place = h("span")
  const link = cardLink(matchId)
  link.append(
    h("span", { class: "card-head" }, event, status),
    ...teams.map(({ element }) => element),
    h("span", { class: "card-foot" }, place),
  )
  return {
    element: h("li", {}, link),
    update(row: ListRow) {
      const { match } = row
      setAttribute(link, "data-status", match.silence?.status ?? row.status)
      setText(event, placeWords(match))
      setText(status, statusWords(match))
      for (const team of teams) team.update(match)
      setText(
        place,
        match.currentMap === null ? `Best of ${match.bestOf}` : `Map ${match.currentMap.mapNumber} · ${mapWords(match.currentMap)}`,
      )
    },
  }
}

const statusWords = ({ silence, status, suspension }: LiveRow) => {
  if (silence !== null) return `${silence.status === "stale" ? "Stale" : "Interrupted"} · last report ${clockTime(silence.since)}`
  if (status === "live") return suspension === null ? "Live" : "Paused"
  return { upcoming: "Soon", completed: "Final", cancelled: "Cancelled" }[status]
}

const teamLine = (number: TeamNumber) => {
  const name = h("span", { class: "team-name" })
  const points = h("span", { class: "map-points" })
  const maps = h("span", { class: "rounds" })
  const element = h("span", { class: "team-line", "data-side": String(number) }, name, points, maps)
  return {
    element,
    update(match: LiveRow) {
      const team = teamOf(match, number)
      const { currentMap } = match
      setAttribute(element, "data-winner", match.winner === number ? "" : null)
      setText(name, team.name)
      setText(points, currentMap === null ? "" : number === 1 ? currentMap.team1Score : currentMap.team2Score)
      setText(maps, team.score)
    },
  }
}
