/** Player statistics of the current map: the tallies in the form that a completed map keeps. */
import type { MatchState, PlayerLine } from "./state.ts"

export const linesOf = (state: MatchState): ReadonlyArray<PlayerLine> =>
  state.players.map((player) => ({ playerId: player.id, team: player.team, nickname: player.nickname, ...player.tally }))
