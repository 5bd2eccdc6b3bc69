import type { Schema } from "effect"
import type { GameMap, MatchState } from "../rules/live/state.ts"

export const resultOf = (state: MatchState): Schema.Json => ({
  // While team names are unresolved, the result is open. Once they are resolved, the final result replaces it.
  ...(state.unresolvedNames.length === 0 ? {} : { isOpen: true, unresolvedNames: state.unresolvedNames.map(({ name }) => name) }),
  epoch: state.epoch,
  seq: state.seq,
  winnerTeamId: winnerId(state, state.winner),
  reason: state.endReason,
  seriesScore: [state.seriesScore[0], state.seriesScore[1]],
  maps: state.maps.map((map) => ({
    mapNumber: map.number,
    mapName: map.name,
    winnerTeamId: winnerId(state, map.winner),
    score: [map.score[0], map.score[1]],
    halves: map.halves.map(([one, two]) => [one, two]),
    rounds: map.rounds.map((round) => ({
      round: round.round,
      winner: round.winner,
      winType: round.winType,
      ct: round.ctScore,
      t: round.tScore,
    })),
    players: map.lines.map(({ multiKills, ...line }) => ({ ...line, multiKills: [...multiKills] })),
  })),
})

const winnerId = (state: MatchState, winner: GameMap["winner"]): string | null =>
  winner === null || winner === "draw" ? null : state.teams[winner].id
