import type { GameView } from "@matchpoint/game/pages/live/GameView"
import type { Change, Happening, LiveListItem, LiveMatch } from "../types.ts"
import { type ListRow, rowOfItem, rowOfMatch } from "./listRow.ts"
import { matchBody } from "./matchBody.ts"
import { matchCard } from "./matchCard.ts"

export const cs2View: GameView<LiveMatch, LiveListItem, Happening, ListRow> = {
  game: "cs2",
  title: "CS2",
  keptEvents: 250,
  rowOfItem,
  rowOfMatch,
  factsOf: (match) => {
    const [team1, team2] = match.teams
    return {
      status: match.status,
      endedAt: match.endedAt,
      updatedAt: match.updatedAt,
      isInPlay: match.game?.phase === "live",
      title: `${team1.name} ${team1.mapScore}:${team2.mapScore} ${team2.name}`,
    }
  },
  eventsOf: ({ events }) => events as unknown as Change["events"],
  readEvents: async (client, { matchId }, signal) => {
    const { data } = await client.get("/cs2/live/:matchId/events", { params: { matchId }, query: { limit: 200 }, signal })
    return data.events
  },
  wordsOf: (match, event) => {
    const [team1, team2] = match.teams
    const score = `${team1.name} ${team1.mapScore}, ${team2.name} ${team2.mapScore}`
    switch (event.eventType) {
      case "RoundEnd":
        return match.status === "completed" ? `The match is over. ${score}.` : `Round ${event.round} is over. ${score}.`
      case "BombPlanted":
        return `Bomb planted${event.bombSite === null ? "" : ` on ${event.bombSite}`}.`
      case "BombDefused":
        return "Bomb defused."
      case "BombExploded":
        return "Bomb exploded."
      default:
        return undefined
    }
  },
  card: matchCard,
  matchView: matchBody,
}
