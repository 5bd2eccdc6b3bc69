/**
 * The series as the backup feed reports it: maps, their scores and ends, without rounds or players. It is kept apart
 * from the main feed's events, so that nothing is counted twice if the main feed returns and repeats them. If the main
 * feed does not repeat them, the series is copied into the match state.
 */
import type { BackupSeries, FeedEvent } from "./feedEvents.ts"
import { type MatchRules, mapOutcome, onStartingSides, otherTeam, seriesOutcome, type TeamIndex } from "./rules.ts"
import { type GameMap, type MatchState, teamIndexOf } from "./state.ts"

type BackupMap = BackupSeries["maps"][number]

export const isFromBackup = (event: FeedEvent): boolean => event.source === "backup" && event.type !== "SourceChanged"

/** The series as the main feed has reported it. */
export const seriesOf = ({ maps, seriesScore }: MatchState): BackupSeries => ({ maps: maps.map(backupMapOf), seriesScore })

/** The series as reported by the feed that is currently in use. */
export const knownSeries = (state: MatchState): BackupSeries => state.backup ?? seriesOf(state)

/** The series that has progressed further. If both are equal, the first argument. */
export const furthest = (one: BackupSeries, other: BackupSeries): BackupSeries => (isBehind(one, other) ? other : one)

export const isBehind = (one: BackupSeries, other: BackupSeries): boolean => {
  if (one.maps.length !== other.maps.length) return one.maps.length < other.maps.length
  return reportedRounds(one.maps.at(-1)) < reportedRounds(other.maps.at(-1))
}

/**
 * Progress in rounds: the sum of both scores, because every round has a winner. A completed map is ahead of a live map
 * with the same score.
 */
const reportedRounds = (map: BackupMap | undefined): number =>
  map === undefined ? 0 : map.score[0] + map.score[1] + (map.status === "completed" ? 0.5 : 0)

export const seriesAfter = (series: BackupSeries, event: FeedEvent, state: MatchState): BackupSeries => {
  const map = series.maps.at(-1)
  switch (event.type) {
    case "MapStarted": {
      const { ctTeamId, mapName: name, mapNumber: number } = event.payload
      const started: BackupMap = {
        number,
        name,
        startingCtTeam: teamIndexOf(state, ctTeamId) ?? 0,
        score: [0, 0],
        status: "live",
        winner: null,
        startedAt: event.observedAt,
        endedAt: null,
      }
      // A previous map that is still live: its end was not reported. Its winner is unknown, unless the series can
      // continue only after a win of one particular team.
      const ended = map?.status === "live" ? withEnd(series, null, event.observedAt) : series
      const before = withImpliedWinner(ended, state)
      return { ...before, maps: [...before.maps, started] }
    }
    case "MapRestarted":
      return map === undefined
        ? series
        : withLast(series, {
            ...map,
            name: event.payload.mapName ?? map.name,
            score: [0, 0],
            startingCtTeam: teamIndexOf(state, event.payload.ctTeamId) ?? map.startingCtTeam,
            startedAt: event.observedAt,
          })
    case "RoundEnded": {
      if (map === undefined) return series
      const score = scoreAfter(map, event.payload, state.rules)
      const played = withLast(series, { ...map, score })
      const outcome = mapOutcome(score, state.rules)
      return outcome === undefined ? played : withEnd(played, outcome, event.observedAt)
    }
    case "MapEnded": {
      const { winnerTeamId } = event.payload
      return withEnd(series, winnerTeamId === null ? "draw" : (teamIndexOf(state, winnerTeamId) ?? "draw"), event.observedAt)
    }
    default:
      return series
  }
}

/** Null if the series is over but its winner is unknown, undefined if the series continues. */
export const outcomeOf = ({ maps, seriesScore }: BackupSeries, bestOf: number): TeamIndex | "draw" | null | undefined =>
  maps.at(-1)?.status === "completed" ? outcomeOfMaps(maps, seriesScore, bestOf) : undefined

type Winners = ReadonlyArray<{ readonly status: "live" | "completed"; readonly winner: TeamIndex | "draw" | null }>

/** The outcome by the rules. Null if it would be a draw but the winner of a completed map is unknown. */
export const outcomeOfMaps = (maps: Winners, won: readonly [number, number], bestOf: number): TeamIndex | "draw" | null | undefined => {
  const outcome = seriesOutcome(won, maps.length, bestOf)
  return outcome === "draw" && maps.some(({ status, winner }) => status === "completed" && winner === null) ? null : outcome
}

/**
 * Sets a winner that was not reported, if the start of the next map implies it: had the other team won, the series
 * would be over. Returns `series` unchanged if both teams could have won, if several maps have no known winner, or if
 * maps can be drawn.
 */
export const withImpliedWinner = <S extends { readonly maps: Winners; readonly seriesScore: readonly [number, number] }>(
  series: S,
  { bestOf, rules }: Pick<MatchState, "bestOf" | "rules">,
): S => {
  const lacksWinner = ({ status, winner }: Winners[number]) => status === "completed" && winner === null
  const [one, two] = series.seriesScore
  const canBeFirst = (one + 1) * 2 <= bestOf
  const canBeSecond = (two + 1) * 2 <= bestOf
  if (rules.overtimeRounds === 0 || canBeFirst === canBeSecond || series.maps.filter(lacksWinner).length !== 1) return series
  return {
    ...series,
    maps: series.maps.map((map) => (lacksWinner(map) ? { ...map, winner: canBeFirst ? 0 : 1 } : map)),
    seriesScore: canBeFirst ? [one + 1, two] : [one, two + 1],
  }
}

/** Team on the CT side in the next round of the map. */
export const ctTeamAt = (map: BackupMap, rules: MatchRules): TeamIndex => ctTeamIn(map, map.score[0] + map.score[1] + 1, rules)

const ctTeamIn = (map: BackupMap, round: number, rules: MatchRules): TeamIndex =>
  onStartingSides(round, rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)

const scoreAfter = (
  map: BackupMap,
  payload: Extract<FeedEvent, { readonly type: "RoundEnded" }>["payload"],
  rules: MatchRules,
): readonly [number, number] => {
  const ct = ctTeamIn(map, payload.round, rules)
  if (payload.score !== undefined) return ct === 0 ? [payload.score.ct, payload.score.t] : [payload.score.t, payload.score.ct]
  const winner = payload.winner === "CT" ? ct : otherTeam(ct)
  return winner === 0 ? [map.score[0] + 1, map.score[1]] : [map.score[0], map.score[1] + 1]
}

const withLast = (series: BackupSeries, map: BackupMap): BackupSeries => ({ ...series, maps: [...series.maps.slice(0, -1), map] })

const withEnd = (series: BackupSeries, winner: BackupMap["winner"], at: number): BackupSeries => {
  const map = series.maps.at(-1)
  if (map === undefined) return series
  const [one, two] = series.seriesScore
  return {
    ...withLast(series, { ...map, status: "completed", winner, endedAt: at }),
    seriesScore: [one + (winner === 0 ? 1 : 0), two + (winner === 1 ? 1 : 0)],
  }
}

const backupMapOf = ({ endedAt, name, number, score, startedAt, startingCtTeam, status, winner }: GameMap): BackupMap => ({
  number,
  name,
  startingCtTeam,
  score,
  status,
  winner,
  startedAt,
  endedAt,
})
