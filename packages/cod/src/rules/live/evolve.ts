/**
 * The state after a fact that `decideFact` accepts. Never fails; the same facts in the same order give the same state.
 */
import { newMatch } from "@matchpoint/game/rules/MatchState"
import { endMap, endMatch, replayMap, startMap } from "./evolveMap.ts"
import { evolveKill, evolveObjective, evolveRoundEnded, reportLines, startRound } from "./evolvePlay.ts"
import type { Fact, FeedEventOf, MapSheet } from "./feedEvents.ts"
import { otherSide, TEAM_SIZE } from "./format.ts"
import { emptyLine } from "./lines.ts"
import { type MatchMap, type MatchState, mapsStarted, STATE_FORMAT, type Team } from "./state.ts"

/** A report of the main feed makes it the feed in use, so that no fact is counted from both feeds. */
export const evolveFact = (state: MatchState, event: Fact): MatchState => {
  const { observedAt, source } = event
  const newest = { source, at: Math.max(state.newest.at, observedAt) }
  return change({ ...state, source: source === "main" ? "live" : state.source, newest }, event)
}

const change = (state: MatchState, event: Fact): MatchState => {
  switch (event.type) {
    case "MapsChosen":
      return mapsChosen(state, event.payload.maps)
    case "MatchStarted":
      return { ...state, status: "live", startedAt: event.observedAt }
    case "MapStarted":
      return startMap(state, event)
    case "RoundStarted":
      return startRound(state, event.payload.round)
    case "PlayerKilled":
      return evolveKill(state, event)
    case "HillChanged":
    case "HillScored":
    case "BombPlanted":
    case "BombDefused":
    case "BombDetonated":
    case "ZoneTicked":
      return evolveObjective(state, event)
    case "RoundEnded":
      return evolveRoundEnded(state, event.payload)
    case "StatisticsReported":
      return reportLines(state, event.payload.players)
    case "MapEnded":
      return endMap(state, event)
    case "MapReplayed":
      return replayMap(state, event.payload.map)
    case "PlayerSubstituted":
      return substituted(state, event.payload)
    case "Suspended": {
      const { reason, side } = event.payload
      const [one, two] = state.timeouts
      const isTimeout = reason === "timeout" && side !== null
      const timeouts = isTimeout ? ([one + (side === 0 ? 1 : 0), two + (side === 1 ? 1 : 0)] as const) : state.timeouts
      return { ...state, suspendedAt: event.observedAt, pause: { reason, side }, timeouts }
    }
    case "Resumed":
      return resumed(state, event.observedAt)
    case "ScoreCorrected":
      return corrected(state, event.payload.maps)
    case "Forfeited":
      return endMatch(state, otherSide(event.payload.side), "forfeit", event.observedAt)
    case "Cancelled":
      return { ...endMatch(state, null, "cancelled", event.observedAt), status: "cancelled" }
  }
}

/** Starts the clock of the map again. Time before the start of a map does not count. */
const resumed = (state: MatchState, at: number): MatchState => {
  const { current, maps, suspendedAt } = state
  const pausedMs = current === null || suspendedAt === null ? 0 : Math.max(0, at - suspendedAt)
  return {
    ...state,
    suspendedAt: null,
    pause: null,
    maps:
      pausedMs === 0 ? maps : maps.map((map, index) => (index + 1 === current?.map ? { ...map, pausedMs: map.pausedMs + pausedMs } : map)),
  }
}

const mapsChosen = (state: MatchState, chosen: ReadonlyArray<MapSheet>): MatchState => {
  const started = mapsStarted(state)
  return {
    ...state,
    maps: chosen.map((sheet, index) => {
      const known = state.maps[index]
      return index < started && known !== undefined ? { ...known, pickedBy: sheet.pickedBy } : upcoming(sheet)
    }),
  }
}

const substituted = (state: MatchState, { in: coming, out, side }: FeedEventOf<"PlayerSubstituted">["payload"]): MatchState => {
  const team = state.teams[side]
  const leaving = team.players.findIndex(({ id }) => id === out)
  const known = team.players.findIndex(({ id }) => id === coming.id)
  const position = known < 0 ? team.players.length : known
  const next: Team = {
    ...team,
    players: known < 0 ? [...team.players, coming] : team.players,
    active: team.active.map((active) => (active === leaving ? position : active)),
  }
  const { current } = state
  const teams = side === 0 ? ([next, state.teams[1]] as const) : ([state.teams[0], next] as const)
  if (current === null) return { ...state, teams }
  const lines = known < 0 ? [...current.lines[side], emptyLine] : current.lines[side]
  const round = current.round
  return {
    ...state,
    teams,
    current: {
      ...current,
      lines: side === 0 ? [lines, current.lines[1]] : [current.lines[0], lines],
      // The new player takes the place of the other one, also if that one is dead.
      round: round === null ? null : { ...round, alive: replaceBit(round.alive, side, leaving, position) },
    },
  }
}

const replaceBit = (alive: readonly [number, number], side: 0 | 1, from: number, to: number): readonly [number, number] => {
  const bits = alive[side]
  const next = (bits & ~(1 << from)) | (((bits >> from) & 1) << to)
  return side === 0 ? [next, alive[1]] : [alive[0], next]
}

/** Statistics are kept, because they count what was reported. The round in progress is void. */
const corrected = (state: MatchState, scores: FeedEventOf<"ScoreCorrected">["payload"]["maps"]): MatchState => {
  const { current } = state
  const won: [number, number] = [0, 0]
  const maps = state.maps.map((map, index): MatchMap => {
    const score = scores[index]
    if (score === undefined) return map
    if (index + 1 === current?.map) return { ...map, scores: score }
    const winner = score[0] > score[1] ? 0 : 1
    won[winner] += 1
    return { ...map, scores: score, winner }
  })
  const [one, two] = (current === null ? undefined : scores[current.map - 1]) ?? [0, 0]
  return {
    ...state,
    maps,
    mapsWon: won,
    current: current === null ? null : { ...current, round: null, roundsPlayed: current.firstAttacker === null ? 0 : one + two },
    countsEverything: false,
    corrections: state.corrections + 1,
  }
}

const upcoming = (sheet: MapSheet): MatchMap => ({
  ...sheet,
  status: "upcoming",
  scores: [0, 0],
  winner: null,
  startedAt: null,
  endedAt: null,
  pausedMs: 0,
  lines: null,
})

export const create = (event: FeedEventOf<"MatchCreated">): MatchState => {
  const { payload, source } = event
  const [one, two] = payload.teams
  const teamOf = (sheet: (typeof payload.teams)[number]): Team => ({
    ...sheet,
    active: Array.from({ length: TEAM_SIZE }, (_, index) => index),
  })
  return {
    ...newMatch(STATE_FORMAT, event),
    tournament: payload.tournament,
    bestOf: payload.bestOf,
    teams: [teamOf(one), teamOf(two)],
    maps: payload.maps.map(upcoming),
    mapsWon: [0, 0],
    current: null,
    lastKill: null,
    timeouts: [0, 0],
    countsEverything: true,
    winner: null,
    endReason: null,
    pause: null,
    newest: { source, at: 0 },
    corrections: 0,
  }
}
