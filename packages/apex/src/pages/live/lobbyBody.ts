/** Page of a live lobby: game and ring, moving standings, feed of kills, and the games played. */
import { eventList } from "@matchpoint/game/pages/live/eventList"
import type { MatchView } from "@matchpoint/game/pages/live/GameView"
import { h, keyedRows, setAttribute, setText, show } from "@matchpoint/game/pages/parts/dom"
import { ageText } from "@matchpoint/game/pages/parts/format"
import { eventWords, placeWords, ringWords, teamName } from "./liveWords.ts"
import type { ShownEvent } from "./shownEvent.ts"
import { standingsTable } from "./standingsTable.ts"
import type { LiveMatch } from "./types.ts"

export const lobbyBody = (): MatchView<LiveMatch, ShownEvent> => {
  const head = lobbyHead()
  const standings = standingsTable()
  const feed = killFeed()
  const games = gamesPanel()
  return {
    element: h("div", { class: "lobby-body" }, head.element, standings.element, feed.element, games.element),
    update(match, events) {
      head.update(match)
      standings.update(match)
      feed.update(match, events)
      games.update(match)
    },
    tick(match, now) {
      head.tick(match, now)
    },
  }
}

const lobbyHead = () => {
  const title = h("h1")
  const about = h("p", { class: "about" })
  const phase = h("p", { class: "phase-line" })
  const ring = h("p", { class: "ring-line" })
  const silence = h("p", { class: "doubt", role: "status" })
  const element = h("section", { class: "panel lobby-head", "aria-label": "Lobby" }, title, about, phase, ring, silence)
  return {
    element,
    update(match: LiveMatch) {
      const { format, game } = match
      setText(title, match.name)
      setText(
        about,
        `${placeWords(match)} · ${format.matchPoint === null ? `${format.games} games` : `match point at ${format.matchPoint}`}`,
      )
      setText(phase, phaseWords(match))
      setText(ring, game === null ? "" : ringWords(game.ring))
      setAttribute(element, "data-status", match.status)
    },
    /** `now` is the stream time in epoch milliseconds. */
    tick({ silence: silent }: LiveMatch, now: number) {
      show(silence, silent !== null)
      if (silent === null) return
      setText(silence, `${silent.status === "stale" ? "Stale" : "Interrupted"}: no report for ${ageText(now - Date.parse(silent.since))}.`)
    },
  }
}

const phaseWords = (match: LiveMatch) => {
  const { game, readyFor, status, suspendedAt, winner } = match
  if (winner !== null) return `${teamName(match, winner)} won the series`
  if (status === "cancelled") return "The series was cancelled"
  if (suspendedAt !== null) return "Suspended"
  if (game !== null) return `Game ${game.number}, ${game.map}: ${game.teamsLeft} teams, ${game.playersLeft} players left`
  return readyFor === null ? "Between games" : `The lobby of game ${readyFor} is ready`
}

const killFeed = () =>
  eventList<LiveMatch, ShownEvent>({
    heading: "Kills",
    label: "Events, newest first",
    most: 80,
    isShown: ({ event }) => event.type !== "ring",
    line: ({ event }, match) => h("li", { class: "happening", "data-type": event.type }, eventWords(match, event)),
    emptyText: () => "No event is known yet.",
  })

const gamesPanel = () => {
  const body = h("tbody")
  type Game = LiveMatch["games"][number] & { readonly winner: string }
  const fill = keyedRows(
    body,
    ({ isCorrected, number, status }: Game) => `${number} ${status} ${isCorrected}`,
    (game) => ({ element: gameRow(game), update: () => {} }),
  )
  const element = h(
    "section",
    { class: "panel lobby-games", "aria-labelledby": "games-heading" },
    h("div", { class: "panel-head" }, h("h2", { id: "games-heading" }, "Games")),
    h(
      "table",
      { "aria-labelledby": "games-heading" },
      h("thead", {}, h("tr", {}, ...["Game", "Map", "Winner", "Kills"].map((words) => h("th", { scope: "col" }, words)))),
      body,
    ),
  )
  return {
    element,
    update(match: LiveMatch) {
      show(element, match.games.length > 0)
      fill(
        match.games.map((game) => {
          const first = game.teams.find(({ placement }) => placement === 1)
          return { ...game, winner: first === undefined ? "does not count" : teamName(match, first.team) }
        }),
      )
    },
  }
}

const gameRow = (game: LiveMatch["games"][number] & { readonly winner: string }) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, String(game.number)),
    h("td", {}, game.map),
    h("td", {}, `${game.winner}${game.isCorrected ? " (corrected)" : ""}`),
    h("td", {}, game.status === "cancelled" ? "–" : String(game.teams.find(({ placement }) => placement === 1)?.kills ?? 0)),
  )
