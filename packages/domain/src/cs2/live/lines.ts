/** The players' lines of the map in play: their tallies, as kept with a finished map. */
import type { MatchState, PlayerLine } from "./state.ts"

export const linesOf = (state: MatchState): ReadonlyArray<PlayerLine> =>
  state.players.map((player) => ({ playerId: player.id, team: player.team, nickname: player.nickname, ...player.tally }))
