import type { GameView, MatchView } from "@matchpoint/game/pages/live/GameView"
import { h } from "@matchpoint/game/pages/parts/dom"
import { killFeed } from "./killFeed.ts"
import { type ListRow, matchCard, rowOfItem, rowOfMatch } from "./matchCard.ts"
import { scoreboard } from "./scoreboard.ts"
import { scorePanel } from "./scorePanel.ts"
import { readHistory, type ShownEvent, shownEvent } from "./shownEvent.ts"
import type { LiveEvent, LiveMatch, LiveRow } from "./types.ts"
import { eventWords, teamOf } from "./words.ts"

const announced: ReadonlySet<string> = new Set(["map_started", "round_ended", "map_ended", "suspended", "resumed", "cancelled"])

export const codView: GameView<LiveMatch, LiveRow, ShownEvent, ListRow> = {
  game: "cod",
  title: "Call of Duty",
  // More than a long match has.
  keptEvents: 2_000,
  rowOfItem,
  rowOfMatch,
  factsOf: (match) => ({
    status: match.status,
    endedAt: match.endedAt,
    updatedAt: match.updatedAt,
    isInPlay: match.currentMap !== null && match.suspension === null,
    title: `${match.team1.name} ${match.team1.score}–${match.team2.score} ${match.team2.name}`,
  }),
  eventsOf: ({ events, seq }) => (events as unknown as ReadonlyArray<LiveEvent>).map((event) => shownEvent(event, seq)),
  readEvents: readHistory,
  wordsOf: (match, { event }) => {
    if (match.winner !== null && event.type === "map_ended") return `The match is over. ${teamOf(match, match.winner).name} has won.`
    return announced.has(event.type) ? eventWords(match, event) : undefined
  },
  card: matchCard,
  matchView: (): MatchView<LiveMatch, ShownEvent> => {
    const [score, players, kills] = [scorePanel(), scoreboard(), killFeed()]
    return {
      element: h("div", { class: "cod-body" }, score.element, players.element, kills.element),
      update(match, events) {
        score.update(match)
        players.update(match)
        kills.update(match, events)
      },
      tick: () => {},
    }
  },
}
