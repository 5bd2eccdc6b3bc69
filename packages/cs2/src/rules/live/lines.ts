/** Player statistics of the current map, in the format in which completed maps are stored. */
import type { MatchState, PlayerState } from "./state.ts"

export const linesOf = (state: MatchState): ReadonlyArray<PlayerState> =>
  state.players.map((player) => ({ playerId: player.id, team: player.team, nickname: player.nickname, ...player.tally }))
