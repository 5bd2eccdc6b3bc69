/** Card in the list of live matches: game, ring, teams left and the three leaders. */
import type { Row } from "@matchpoint/game/pages/live/GameView"
import { cardLink } from "@matchpoint/game/pages/live/matchList"
import { h, setAttribute, setChildren, setText } from "@matchpoint/game/pages/parts/dom"
import { clockTime } from "@matchpoint/game/pages/parts/format"
import { placeWords, teamName } from "./liveWords.ts"
import type { LiveMatch, LiveRow } from "./types.ts"

export interface ListRow extends Row {
  readonly match: Shown
}

type Shown = Pick<LiveRow, "status" | "silence" | "region" | "stage" | "tournament" | "gamesPlayed" | "leaders" | "suspendedAt"> & {
  readonly game: Pick<NonNullable<LiveRow["game"]>, "number" | "map" | "teamsLeft" | "playersLeft"> | null
}

const LEADERS = 3

export const rowOfItem = (match: LiveRow, matchId: string): ListRow => ({ matchId, status: match.status, match })

export const rowOfMatch = (match: LiveMatch, matchId: string): ListRow => ({
  matchId,
  status: match.status,
  match: {
    ...match,
    gamesPlayed: match.games.length,
    leaders: match.standings.slice(0, LEADERS).map(({ points, rank, team }) => ({ teamName: teamName(match, team), rank, points })),
  },
})

export const lobbyCard = ({ matchId }: ListRow) => {
  const status = h("span", { class: "status" })
  const event = h("span", { class: "event" })
  const leaders = h("span", { class: "lobby-leaders" })
  const game = h("span")
  const left = h("span")
  const link = cardLink(matchId)
  link.append(h("span", { class: "card-head" }, event, status), leaders, h("span", { class: "card-foot" }, game, left))
  return {
    element: h("li", {}, link),
    update({ match, status: state }: ListRow) {
      setAttribute(link, "data-status", match.silence?.status ?? state)
      setText(event, placeWords(match))
      setText(status, statusWords(match))
      const shown = match.leaders.slice(0, LEADERS)
      setChildren(leaders, JSON.stringify(shown), () =>
        shown.map(({ points, rank, teamName: name }) =>
          h(
            "span",
            { class: "team-line" },
            h("span", { class: "lobby-rank" }, String(rank)),
            h("span", { class: "team-name" }, name),
            h("span", { class: "rounds" }, String(points)),
          ),
        ),
      )
      setText(game, match.game === null ? `${match.gamesPlayed} games played` : `Game ${match.game.number} · ${match.game.map}`)
      setText(left, match.game === null ? "" : `${match.game.teamsLeft} teams, ${match.game.playersLeft} players left`)
    },
  }
}

const statusWords = ({ silence, status, suspendedAt }: Shown) => {
  if (silence !== null) return `${silence.status === "stale" ? "Stale" : "Interrupted"} · last report ${clockTime(silence.since)}`
  if (status === "live") return suspendedAt === null ? "Live" : "Suspended"
  return { upcoming: "Soon", completed: "Final", cancelled: "Cancelled" }[status]
}
