import type { GameView } from "@matchpoint/game/pages/live/GameView"
import type { LiveEvent, LiveMatch, LiveRow } from "../types.ts"
import { shortName, sideOf } from "../words.ts"
import { matchBody } from "./matchBody.ts"
import { type ListRow, matchCard, rowOfItem, rowOfMatch } from "./matchCard.ts"
import { afterOf, readHistory, type ShownEvent, shownEvent } from "./shownEvent.ts"

export const tennisView: GameView<LiveMatch, LiveRow, ShownEvent, ListRow> = {
  game: "tennis",
  title: "Tennis",
  // Longer than the longest match ever played, which had 980 points.
  keptEvents: 1_200,
  rowOfItem,
  rowOfMatch,
  factsOf: (match) => ({
    status: match.status,
    endedAt: match.ended_at,
    updatedAt: match.updated_at,
    // Breaks between games and sets take minutes, so the age of the data does not show whether it is old.
    isInPlay: false,
    title: `${shortName(match.side1)} ${match.sets.map(({ side1, side2 }) => `${side1}-${side2}`).join(" ")} ${shortName(match.side2)}`,
  }),
  eventsOf: ({ events, seq }, match) =>
    (events as unknown as ReadonlyArray<LiveEvent>).map((event) => shownEvent(event, seq, afterOf(match))),
  readEvents: readHistory,
  wordsOf: (match, { point, type }) => {
    if (point === null) return { suspended: "Play is suspended.", resumed: "Play goes on." }[String(type)]
    const name = shortName(sideOf(match, point.winner))
    switch (point.won) {
      case "game":
        return `Game ${name}. ${point.score} in set ${point.set}.`
      case "set":
        return `Set ${point.set} ${name}, ${point.score}.`
      case "match":
        return `The match is over. ${name} has won, ${match.score ?? ""}.`
      default:
        return undefined
    }
  },
  card: matchCard,
  matchView: matchBody,
}
