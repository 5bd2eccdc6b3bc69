/** A live lobby in message format v2, the document that deltas patch. */
import { type LiveDocument, liveDocument } from "@matchpoint/game/contract/liveDocument"
import { LiveApexMatch } from "./LiveApexMatch.ts"

const derived = liveDocument(LiveApexMatch, {
  time: "updatedAt",
  lists: {
    teams: "team",
    "teams.players": "player",
    standings: "team",
    "game.teams": "team",
    "game.teams.players": "player",
    games: "number",
    "games.teams": "team",
  },
  last: { standings: ["hms"], games: ["bannedLegends", "teams"], "game.teams.players": ["legend", "damage"] },
})

export const CompactApexMatch = derived.compact.annotate({ identifier: "CompactApexMatch" })
export type CompactApexMatch = typeof CompactApexMatch.Type

/** In format v1, standings are in the order of ranks. */
export const apexDocument: LiveDocument<LiveApexMatch, CompactApexMatch> = {
  ...derived,
  fullOf: (state) => {
    const full = derived.fullOf(state)
    return {
      ...full,
      standings: full.standings.toSorted((one, other) => one.rank - other.rank || one.team - other.team),
      game: full.game === null ? null : gameOf(full.game),
    }
  },
}

type Game = NonNullable<LiveApexMatch["game"]>

/** Format v1 has the ban list and the ring at the end if they are null, as in its first version. */
const gameOf = (game: Game): Game => {
  const { bannedLegends, ...withoutBans } = game
  const one = bannedLegends === null ? { ...withoutBans, bannedLegends } : game
  const { ring, ...withoutRing } = one
  return ring === null ? { ...withoutRing, ring } : one
}
