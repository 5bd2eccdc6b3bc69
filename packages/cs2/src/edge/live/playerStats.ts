/** Response of `GET /cs2/live/{matchId}/player-stats`. */
import type { LivePlayerStats } from "../../contract/http/liveModels.ts"
import type { LiveMatch, LivePlayer } from "../../contract/LiveMatch.ts"
import { availabilityOf, unavailableIn } from "./availability.ts"
import { naturalOfPlayer, statePlayer } from "./statePlayer.ts"

export const playerStats = (
  match: LiveMatch,
  shown: ReadonlyArray<LivePlayer>,
  { isCurrent, lastVerified }: { readonly isCurrent: boolean; readonly lastVerified: string },
): LivePlayerStats => {
  const players = shown.map((player) => statePlayer(match, player))
  return {
    entityType: "cs2_live_player_stats",
    matchId: match.matchId,
    status: match.status,
    isCurrent,
    ...availabilityOf(match),
    source: match.source,
    capturedAt: lastVerified,
    lastVerified,
    players,
    unavailableFields: unavailableIn({ players }, naturalOfPlayer),
  }
}
