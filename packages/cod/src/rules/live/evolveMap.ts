/** Applies the start, the end and the repetition of a map, and the end of a match. No side effects. */
import { reportLines } from "./evolvePlay.ts"
import type { FeedEventOf } from "./feedEvents.ts"
import { isRoundBased, mapsToWin, type Pair, type SideIndex } from "./format.ts"
import { emptyLine, hasValue, type PackedLine, packLine } from "./lines.ts"
import type { BySide, CurrentMap, MatchMap, MatchState } from "./state.ts"

export const startMap = (state: MatchState, { observedAt, payload, source }: FeedEventOf<"MapStarted">): MatchState => {
  const map = state.maps[payload.map - 1]
  return {
    ...state,
    maps: withMap(state.maps, payload.map, { status: "live", startedAt: observedAt }),
    lastKill: null,
    current: {
      map: payload.map,
      firstAttacker: payload.attacker,
      source,
      round: null,
      roundsPlayed: 0,
      hill: map === undefined || isRoundBased(map.mode) ? null : { hill: 1, holder: null, isContested: false },
      lines: [state.teams[0].players.map(() => emptyLine), state.teams[1].players.map(() => emptyLine)],
      recentKills: [],
    },
  }
}

export const endMap = (before: MatchState, { observedAt, payload }: FeedEventOf<"MapEnded">): MatchState => {
  const { statistics = [], winner } = payload
  const state = reportLines(before, statistics)
  const { current } = state
  if (current === null) return state
  const mapsWon: Pair = winner === 0 ? [state.mapsWon[0] + 1, state.mapsWon[1]] : [state.mapsWon[0], state.mapsWon[1] + 1]
  const lines = packedLines(state, current)
  const ended: MatchState = {
    ...state,
    maps: withMap(state.maps, current.map, { status: "completed", winner, endedAt: observedAt, lines }),
    mapsWon,
    current: null,
    lastKill: null,
  }
  return mapsWon[winner] >= mapsToWin(state.bestOf) ? endMatch(ended, winner, "completed", observedAt) : ended
}

/** Makes the newest map upcoming again, without score and statistics. */
export const replayMap = (state: MatchState, number: number): MatchState => {
  const winner = state.maps[number - 1]?.winner ?? null
  const [one, two] = state.mapsWon
  return {
    ...state,
    maps: withMap(state.maps, number, {
      status: "upcoming",
      scores: [0, 0],
      winner: null,
      startedAt: null,
      endedAt: null,
      pausedMs: 0,
      lines: null,
    }),
    mapsWon: [one - (winner === 0 ? 1 : 0), two - (winner === 1 ? 1 : 0)],
    current: null,
    lastKill: null,
  }
}

/** A map in progress keeps its score and its statistics, and has no winner. */
export const endMatch = (
  state: MatchState,
  winner: SideIndex | null,
  endReason: "completed" | "forfeit" | "cancelled",
  endedAt: number,
): MatchState => {
  const { current } = state
  return {
    ...state,
    status: "completed",
    maps:
      current === null
        ? state.maps
        : withMap(state.maps, current.map, {
            status: "completed",
            endedAt,
            lines: packedLines(state, current),
          }),
    current: null,
    lastKill: null,
    suspendedAt: null,
    pause: null,
    winner,
    endReason,
    endedAt,
  }
}

/** An empty line: the player did not play the map. One without values has played if on the map at its end. */
const packedLines = ({ teams }: MatchState, { lines }: CurrentMap): BySide<PackedLine> => {
  const ofSide = (side: SideIndex) =>
    lines[side].map((line, position) => (teams[side].active.includes(position) || hasValue(line) ? packLine(line) : []))
  return [ofSide(0), ofSide(1)]
}

const withMap = (maps: ReadonlyArray<MatchMap>, number: number, change: Partial<MatchMap>): ReadonlyArray<MatchMap> =>
  maps.map((map, index) => (index + 1 === number ? { ...map, ...change } : map))
