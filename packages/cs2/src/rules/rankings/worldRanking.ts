/**
 * Computes the world ranking: Elo ratings over all series, oldest first, with one ranking per Monday. Times are epoch
 * milliseconds. The ranking can be reproduced exactly from the archive.
 *
 * A team starts at 1000 points. After each series, the winner gains K * (1 - e) points and the loser loses K * (1 - e)
 * points, where e = 1 / (1 + 10^((loser - winner) / 400)) is the expected probability of that result. K is 48 for the
 * first ten series of a team and 24 after that; on a LAN it is 1.5 times as much. Each team changes by its own K, so
 * that a new team reaches its level without a large effect on the other teams. Sources: A. Elo, The Rating of
 * Chessplayers, 1978; for the larger K of new players, FIDE Handbook B.02.
 *
 * A week (Monday to Monday) is a "week with play" if the archive has at least 1/40 as many series in that week as in
 * the busiest week of the preceding year. Only weeks with play have a ranking, dated on the Monday after the week.
 * Teams are ranked if they have played ten series, at least one of them in the last nine weeks with play. Therefore
 * neither a break in the season nor a gap in the imported data makes teams inactive. Series on the Monday of a ranking
 * count for the next ranking. Of two teams with equal points, the lower number is ranked first.
 */

export interface RatedSeries {
  /** Number that identifies the match in this service. */
  readonly number: number
  readonly at: number
  readonly winner: number
  readonly loser: number
  readonly isLan: boolean
}

export interface WorldPlace {
  readonly rank: number
  readonly team: number
  /** Rounded to one decimal. */
  readonly points: number
}

export interface WorldRankingOf {
  /** Midnight UTC of a Monday. */
  readonly on: number
  readonly places: ReadonlyArray<WorldPlace>
}

const DAY = 86_400_000
const WEEK = 7 * DAY
/** The first Monday after the Unix epoch: 1970-01-05. */
const FIRST_MONDAY = 4 * DAY

export const START = 1_000
export const NEWCOMER_SERIES = 10
/** Weeks with play without a series after which a team is no longer ranked: about 60 days. */
export const ACTIVE_WEEKS = 9
/** Share of the series of the busiest week of the preceding year that makes a week a week with play. */
export const PLAY_SHARE = 1 / 40
const YEAR = 52 * WEEK
export const MAX_PLACES = 500

/** One ranking per week with play, oldest first. Weeks in which no team qualifies are omitted. */
export const worldRankings = (series: ReadonlyArray<RatedSeries>): ReadonlyArray<WorldRankingOf> => {
  const ordered = series.toSorted((a, b) => a.at - b.at || a.number - b.number)
  const teams = new Map<number, Rated>()
  const rankings: Array<WorldRankingOf> = []
  const mondays = mondaysWithPlay(ordered)
  let done = 0
  for (const [index, on] of mondays.entries()) {
    for (let next = ordered[done]; next !== undefined && next.at < on; next = ordered[++done]) play(teams, next)
    const activeSince = (mondays[index - ACTIVE_WEEKS + 1] ?? Number.NEGATIVE_INFINITY) - WEEK
    const places = placesOf(teams, activeSince)
    if (places.length > 0) rankings.push({ on, places })
  }
  return rankings
}

/** The Mondays that end a week with play, oldest first. */
const mondaysWithPlay = (series: ReadonlyArray<RatedSeries>): ReadonlyArray<number> => {
  const counts = new Map<number, number>()
  for (const { at } of series) counts.set(mondayAfter(at), (counts.get(mondayAfter(at)) ?? 0) + 1)
  const weeks = [...counts].toSorted(([a], [b]) => a - b)
  return weeks
    .filter(([on, count], index) => {
      let busiest = count
      for (let before = index - 1; before >= 0 && (weeks[before]?.[0] ?? 0) > on - YEAR; before--) {
        busiest = Math.max(busiest, weeks[before]?.[1] ?? 0)
      }
      return count >= busiest * PLAY_SHARE
    })
    .map(([on]) => on)
}

interface Rated {
  points: number
  series: number
  lastAt: number
}

const mondayAfter = (at: number): number => Math.floor((at - FIRST_MONDAY) / WEEK) * WEEK + WEEK + FIRST_MONDAY

const play = (teams: Map<number, Rated>, { at, isLan, loser, winner }: RatedSeries): void => {
  const [won, lost] = [ratedOf(teams, winner), ratedOf(teams, loser)]
  const surprise = 1 - 1 / (1 + 10 ** ((lost.points - won.points) / 400))
  const [gain, loss] = [weight(won, isLan) * surprise, weight(lost, isLan) * surprise]
  won.points += gain
  lost.points -= loss
  for (const team of [won, lost]) {
    team.series += 1
    team.lastAt = at
  }
}

const ratedOf = (teams: Map<number, Rated>, team: number): Rated => {
  const known = teams.get(team)
  if (known !== undefined) return known
  const rated = { points: START, series: 0, lastAt: 0 }
  teams.set(team, rated)
  return rated
}

const weight = ({ series }: Rated, isLan: boolean): number => (series < NEWCOMER_SERIES ? 48 : 24) * (isLan ? 1.5 : 1)

const placesOf = (teams: ReadonlyMap<number, Rated>, activeSince: number): ReadonlyArray<WorldPlace> =>
  [...teams]
    .filter(([, { lastAt, series }]) => series >= NEWCOMER_SERIES && lastAt >= activeSince)
    .map(([team, { points }]) => ({ team, points: Math.round(points * 10) / 10 }))
    .sort((a, b) => b.points - a.points || a.team - b.team)
    .slice(0, MAX_PLACES)
    .map((place, index) => ({ rank: index + 1, ...place }))
