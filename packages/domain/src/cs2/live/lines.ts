/** Player statistics of the current map, in the format that a completed map stores. */
import type { MatchState, PlayerLine } from "./state.ts"

export const linesOf = (state: MatchState): ReadonlyArray<PlayerLine> =>
  state.players.map((player) => ({ playerId: player.id, team: player.team, nickname: player.nickname, ...player.tally }))
