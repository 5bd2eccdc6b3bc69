/**
 * Continues a match when its main feed returns after a silence. Events that the main feed repeats are applied as usual.
 * If it resumes at a later point of the match, the maps and scores of the backup feed fill the gap. If no feed reported
 * that part of the match, the match continues without it.
 */
import { knownSeries, seriesOf } from "./backupSeries.ts"
import { openRound } from "./evolveRound.ts"
import type { BackupSeries, FeedEvent } from "./feedEvents.ts"
import { linesOf } from "./lines.ts"
import { halfOfRound, mapOutcome, onStartingSides, otherTeam } from "./rules.ts"
import { corrected, isBehind } from "./scores.ts"
import { currentMap, emptyTally, type GameMap, type MatchState } from "./state.ts"

type BackupMap = BackupSeries["maps"][number]

/**
 * Minimum duration of a round in milliseconds, including freeze time and the time after its end. A feed that skips
 * rounds must have been silent this long per round: otherwise a wrong round number would be mistaken for a gap.
 */
export const SHORTEST_ROUND_MS = 15_000

/**
 * The state against which an event of the main feed is validated and to which it is applied: after the gap, if there is
 * one before the event.
 */
export const caughtUp = (state: MatchState, event: FeedEvent): MatchState => {
  if (event.source === "backup" || !isOfMap(event)) return state
  return state.backup === null ? acrossGap(state, event) : caughtUpWithBackup(state, event)
}

type MapEvent = Extract<FeedEvent, { readonly payload: { readonly mapNumber: number } }>

const isOfMap = (event: FeedEvent): event is MapEvent => "mapNumber" in event.payload

/** Bridges a gap that no backup feed reported: the results of some rounds or the end of a map are missing. */
const acrossGap = (state: MatchState, event: MapEvent): MatchState => {
  const { mapNumber } = event.payload
  const map = currentMap(state)
  if (map?.status !== "live") return state
  if (event.type === "MapStarted") {
    const wasPlayed = map.roundsPlayed > 0 || (state.round !== null && state.round.phase !== "freezetime")
    return wasPlayed && mapNumber === map.number + 1 && mapNumber <= state.bestOf ? adopted(state, seriesOf(state), event) : state
  }
  if (!("round" in event.payload)) return state
  const { round } = event.payload
  const lost = round - (state.round?.number ?? 0)
  const silence = event.observedAt - state.observedAt
  return lost > 0 && silence >= lost * SHORTEST_ROUND_MS ? skipped(state, seriesOf(state), mapNumber, round) : state
}

const caughtUpWithBackup = (state: MatchState, event: MapEvent): MatchState => {
  const { mapNumber } = event.payload
  const current = currentMap(state)
  const known = knownSeries(state)
  const open = event.type === "MapStarted" ? mapNumber - 1 : mapNumber
  const behind = (current?.number ?? 0) < open || (event.type === "MapStarted" && current?.number === open && current.status === "live")
  const moved = behind && known.maps.length >= open ? adopted(state, { ...known, maps: known.maps.slice(0, open) }, event) : state
  return "round" in event.payload ? skipped(moved, known, mapNumber, event.payload.round) : moved
}

/** Takes over the maps of the series. Maps whose end the main feed reported do not change. */
export const adopted = (state: MatchState, series: BackupSeries, event: FeedEvent): MatchState => {
  const last = series.maps.at(-1)
  const isNew = last !== undefined && last.number !== currentMap(state)?.number
  const maps = series.maps.map((reported): GameMap => {
    const own = state.maps[reported.number - 1]
    if (own?.status === "completed") return own
    // A map of which the main feed still reports events is live, whatever the series of the backup feed says.
    const map: BackupMap =
      reported === last && isFromWithin(event)
        ? { ...reported, score: own?.score ?? [0, 0], winner: null, status: "live", endedAt: null }
        : reported
    const ended = map.status === "completed" || (event.type === "MapStarted" && map.number < event.payload.mapNumber)
    const winner = map.winner ?? (ended ? (mapOutcome(map.score, state.rules) ?? null) : null)
    return {
      ...(own ?? fresh(map)),
      score: map.score,
      halves: own === undefined ? [] : withScore(own, map.score, state).halves,
      roundsPlayed: map.score[0] + map.score[1],
      status: ended ? "completed" : "live",
      winner,
      endReason: ended && winner !== null ? "score" : null,
      endedAt: ended ? (map.endedAt ?? event.observedAt) : null,
      // If the end of this map was missed, these statistics contain only what was counted before the silence.
      lines: ended && own !== undefined ? linesOf(state) : [],
    }
  })
  const next: MatchState = {
    ...state,
    maps,
    seriesScore: seriesScoreOf(maps),
    status: "live",
    startedAt: state.startedAt ?? event.observedAt,
  }
  return isNew ? { ...next, round: null, timeout: null, players: next.players.map((player) => ({ ...player, tally: emptyTally })) } : next
}

const isFromWithin = (event: FeedEvent): boolean => event.source === "main" && event.type !== "MapStarted"

/** Skipped rounds: takes the backup feed's score if it lies between the last known score and the new round. */
const skipped = (state: MatchState, known: BackupSeries, mapNumber: number, round: number): MatchState => {
  const map = currentMap(state)
  const at = state.round?.number ?? 0
  const inOrder = round <= at || (round === at + 1 && (state.round === null || state.round.phase === "over"))
  if (map === undefined || map.number !== mapNumber || map.status === "completed" || inOrder) return state
  const reported = known.maps[mapNumber - 1]?.score ?? map.score
  const isBetween = reported[0] + reported[1] < round && reported[0] + reported[1] > map.score[0] + map.score[1]
  const score = isBetween ? reported : map.score
  const ctTeam = onStartingSides(round - 1, state.rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)
  const opened = openRound({ ...state, maps: [...state.maps.slice(0, -1), withScore(map, score, state)] }, round - 1, ctTeam)
  return opened.round === null ? opened : { ...opened, round: { ...opened.round, phase: "over" } }
}

/** Rounds that no feed reported are added to the half in which the last round was played. */
const withScore = (map: GameMap, score: readonly [number, number], { rules }: MatchState): GameMap => {
  const rounds = score[0] + score[1]
  if (isBehind(score, map.score)) return corrected(map, score, rules)
  if (rounds === map.score[0] + map.score[1]) return map
  const half = halfOfRound(rounds, rules)
  const halves: Array<readonly [number, number]> = [...map.halves]
  while (halves.length < half) halves.push([0, 0])
  const [one, two] = halves[half - 1] ?? [0, 0]
  halves[half - 1] = [one + score[0] - map.score[0], two + score[1] - map.score[1]]
  return { ...map, score, halves, roundsPlayed: rounds }
}

const seriesScoreOf = (maps: ReadonlyArray<GameMap>): readonly [number, number] => [
  maps.filter(({ winner }) => winner === 0).length,
  maps.filter(({ winner }) => winner === 1).length,
]

const fresh = (map: BackupMap): GameMap => ({
  ...map,
  pickTeamId: null,
  halves: [],
  roundsPlayed: 0,
  endReason: null,
  rounds: [],
  lines: [],
})
