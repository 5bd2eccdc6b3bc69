/** The maps of a series and the series score. */
import { outcomeOfMaps, withImpliedWinner } from "./backupSeries.ts"
import { freshRound } from "./evolvePlayers.ts"
import type { FeedEventOf } from "./feedEvents.ts"
import { linesOf } from "./lines.ts"
import { correctedRules, type TeamIndex } from "./rules.ts"
import { currentMap, emptyTally, type GameMap, type MatchState, teamIndexOf } from "./state.ts"

export const evolveMapStarted = (state: MatchState, event: FeedEventOf<"MapStarted">): MatchState => {
  const map: GameMap = {
    ...freshMap(teamIndexOf(state, event.payload.ctTeamId) ?? 0, event.observedAt),
    number: event.payload.mapNumber,
    name: event.payload.mapName,
    pickTeamId: event.payload.pickTeamId ?? null,
  }
  const before = cleared(withImpliedWinner(state, state))
  return {
    ...before,
    rules: correctedRules(before.rules, event.payload),
    status: "live",
    startedAt: state.startedAt ?? event.observedAt,
    maps: [...before.maps, map],
  }
}

/** Restarts the map at 0:0, or replaces it with another one. Discards everything that was played on it before. */
export const evolveMapRestarted = (state: MatchState, event: FeedEventOf<"MapRestarted">): MatchState => {
  const map = currentMap(state)
  if (map === undefined) return state
  const again: GameMap = {
    ...freshMap(teamIndexOf(state, event.payload.ctTeamId) ?? map.startingCtTeam, event.observedAt),
    number: map.number,
    name: event.payload.mapName ?? map.name,
    pickTeamId: map.pickTeamId,
  }
  return { ...cleared(state), maps: [...state.maps.slice(0, -1), again] }
}

export const endMap = (
  state: MatchState,
  at: number,
  end: { readonly winner: TeamIndex | "draw"; readonly reason: "score" | "surrender" | "forfeit" },
): MatchState => {
  const map = currentMap(state)
  if (map === undefined) return state
  const ended: GameMap = { ...map, status: "completed", winner: end.winner, endReason: end.reason, endedAt: at, lines: linesOf(state) }
  const maps = [...state.maps.slice(0, -1), ended]
  const seriesScore: readonly [number, number] = [
    state.seriesScore[0] + (end.winner === 0 ? 1 : 0),
    state.seriesScore[1] + (end.winner === 1 ? 1 : 0),
  ]
  const outcome = outcomeOfMaps(maps, seriesScore, state.bestOf)
  const next: MatchState = { ...state, maps, seriesScore, timeout: null }
  return outcome === undefined ? next : { ...next, status: "completed", endReason: "completed", winner: outcome, endedAt: at }
}

/** Resets what belongs to a single map: player tallies, the round and the timeouts. */
const cleared = (state: MatchState): MatchState => {
  const [one, two] = state.teams
  return {
    ...state,
    teams: [
      { ...one, timeoutsRemaining: state.rules.timeouts },
      { ...two, timeoutsRemaining: state.rules.timeouts },
    ],
    players: state.players.map((player) => ({
      ...player,
      alive: player.connected,
      hp: player.connected ? 100 : 0,
      tally: emptyTally,
      round: freshRound,
    })),
    round: null,
    timeout: null,
    seen: { match: state.seen.match, round: [] },
  }
}

const freshMap = (startingCtTeam: TeamIndex, startedAt: number): Omit<GameMap, "number" | "name" | "pickTeamId"> => ({
  status: "live",
  startingCtTeam,
  score: [0, 0],
  halves: [],
  roundsPlayed: 0,
  winner: null,
  endReason: null,
  rounds: [],
  lines: [],
  startedAt,
  endedAt: null,
})
