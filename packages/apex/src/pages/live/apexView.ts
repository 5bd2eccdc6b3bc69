import type { GameView } from "@matchpoint/game/pages/live/GameView"
import { eventWords } from "./liveWords.ts"
import { lobbyBody } from "./lobbyBody.ts"
import { type ListRow, lobbyCard, rowOfItem, rowOfMatch } from "./lobbyCard.ts"
import { readHistory, type ShownEvent, shownEvent } from "./shownEvent.ts"
import type { LiveEvent, LiveMatch, LiveRow } from "./types.ts"

/** Events that screen readers announce. Single kills are too many. */
const announced: ReadonlySet<LiveEvent["type"]> = new Set(["game_started", "game_ended", "series_ended", "suspended", "resumed"])

export const apexView: GameView<LiveMatch, LiveRow, ShownEvent, ListRow> = {
  game: "apex",
  title: "Apex",
  keptEvents: 400,
  rowOfItem,
  rowOfMatch,
  factsOf: (match) => ({
    status: match.status,
    endedAt: match.endedAt,
    updatedAt: match.updatedAt,
    // Breaks between games take minutes, so the age of the data does not show whether it is old.
    isInPlay: false,
    title: match.game === null ? match.name : `${match.name}, game ${match.game.number}: ${match.game.teamsLeft} teams left`,
  }),
  eventsOf: ({ events, seq }) => (events as unknown as ReadonlyArray<LiveEvent>).map((event) => shownEvent(event, seq)),
  readEvents: readHistory,
  wordsOf: (match, { event }) => (announced.has(event.type) || event.eliminated !== undefined ? `${eventWords(match, event)}.` : undefined),
  card: lobbyCard,
  matchView: lobbyBody,
}
