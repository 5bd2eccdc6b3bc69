/**
 * How the main feed goes on after a silence that a backup feed filled. What it tells again is folded as if nothing had been; where it
 * is past what it told last, the backup's maps and scores stand in for what is missing. Pure.
 */
import { knownSeries } from "./backupSeries.ts"
import { openRound } from "./evolveRound.ts"
import type { BackupSeries, FeedEvent } from "./feedEvents.ts"
import { linesOf } from "./lines.ts"
import { halfOfRound, onStartingSides, otherTeam } from "./rules.ts"
import { currentMap, emptyTally, type GameMap, type MatchState } from "./state.ts"

type BackupMap = BackupSeries["maps"][number]

/** The state a main fact is judged by and folded into. The very same object unless the fact lies beyond a silence. */
export const caughtUp = (state: MatchState, event: FeedEvent): MatchState => {
  if (state.backup === null || event.source === "backup" || !("mapNumber" in event.payload)) return state
  const { mapNumber } = event.payload
  const current = currentMap(state)
  const known = knownSeries(state)
  const open = event.type === "MapStarted" ? mapNumber - 1 : mapNumber
  const behind = (current?.number ?? 0) < open || (event.type === "MapStarted" && current?.number === open && current.status === "live")
  const moved = behind && known.maps.length >= open ? adopted(state, { ...known, maps: known.maps.slice(0, open) }, event) : state
  return "round" in event.payload ? skipped(moved, known, mapNumber, event.payload.round) : moved
}

/** Takes the series over as it is known: the main feed's own maps where it told their end. */
export const adopted = (state: MatchState, series: BackupSeries, event: FeedEvent): MatchState => {
  const last = series.maps.at(-1)
  const isNew = last !== undefined && last.number !== currentMap(state)?.number
  const maps = series.maps.map((told): GameMap => {
    const own = state.maps[told.number - 1]
    if (own?.status === "completed") return own
    // The main feed is still telling of it.
    const map: BackupMap =
      told === last && isFromWithin(event) ? { ...told, score: own?.score ?? [0, 0], winner: null, status: "live", endedAt: null } : told
    const ended = map.status === "completed" || (event.type === "MapStarted" && map.number < event.payload.mapNumber)
    return {
      ...(own ?? fresh(map)),
      score: map.score,
      halves: own === undefined ? [] : withScore(own, map.score, state).halves,
      roundsPlayed: map.score[0] + map.score[1],
      status: ended ? "completed" : "live",
      winner: map.winner,
      endReason: ended ? "score" : null,
      endedAt: ended ? (map.endedAt ?? event.observedAt) : null,
      // What was counted of it before the silence.
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

/** Rounds the main feed did not tell: theirs is the score that the backup told, if it is not past them. */
const skipped = (state: MatchState, known: BackupSeries, mapNumber: number, round: number): MatchState => {
  const map = currentMap(state)
  const at = state.round?.number ?? 0
  const inOrder = round <= at || (round === at + 1 && (state.round === null || state.round.phase === "over"))
  if (map === undefined || map.number !== mapNumber || map.status === "completed" || inOrder) return state
  const told = known.maps[mapNumber - 1]?.score ?? map.score
  const isBetween = told[0] + told[1] < round && told[0] + told[1] > map.score[0] + map.score[1]
  const score = isBetween ? told : map.score
  const ctTeam = onStartingSides(round - 1, state.rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)
  const opened = openRound({ ...state, maps: [...state.maps.slice(0, -1), withScore(map, score, state)] }, round - 1, ctTeam)
  return opened.round === null ? opened : { ...opened, round: { ...opened.round, phase: "over" } }
}

/** Rounds that nobody told go to the half of the last of them. */
const withScore = (map: GameMap, score: readonly [number, number], { rules }: MatchState): GameMap => {
  const rounds = score[0] + score[1]
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
