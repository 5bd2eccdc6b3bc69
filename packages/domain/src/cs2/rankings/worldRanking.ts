/**
 * The world ranking: Elo over series, oldest first, ranked every Monday. Pure; times are epoch ms.
 *
 * A team starts at 1000. After each series the winner takes K * (1 - e) points from the loser, e = 1 / (1 + 10^((loser - winner) / 400))
 * being how likely it was. K is 48 for a team's first ten series, then 24, and half as much again on a LAN; each team moves by its own
 * K, so that a newcomer finds its place without shaking the others. Elo: A. Elo, The Rating of Chessplayers, 1978; a larger K for
 * newcomers: FIDE Handbook B.02.
 *
 * Ranked is who has played ten series, one of them in the last 60 days. The Monday's own series count for the next one. Same points:
 * the lower number first. So the ranking can be computed again from the archive, by anybody, to the last digit.
 */

export interface RatedSeries {
  /** Of the match. */
  readonly number: number
  readonly at: number
  readonly winner: number
  readonly loser: number
  readonly isLan: boolean
}

export interface WorldPlace {
  readonly rank: number
  readonly team: number
  /** Rounded to a tenth. */
  readonly points: number
}

export interface WorldRankingOf {
  /** Midnight UTC of a Monday. */
  readonly on: number
  readonly places: ReadonlyArray<WorldPlace>
}

const DAY = 86_400_000
const WEEK = 7 * DAY
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4 * DAY

export const START = 1_000
export const NEWCOMER_SERIES = 10
export const ACTIVE_MS = 60 * DAY
/** Places of a ranking. */
export const MAX_PLACES = 500

/** From the first Monday after the first series to the first one after the last; Mondays on which nobody is ranked are left out. */
export const worldRankings = (series: ReadonlyArray<RatedSeries>): ReadonlyArray<WorldRankingOf> => {
  const ordered = series.toSorted((a, b) => a.at - b.at || a.number - b.number)
  const [oldest, newest] = [ordered[0], ordered.at(-1)]
  if (oldest === undefined || newest === undefined) return []
  const teams = new Map<number, Rated>()
  const rankings: Array<WorldRankingOf> = []
  let done = 0
  for (let on = mondayAfter(oldest.at); on <= mondayAfter(newest.at); on += WEEK) {
    for (let next = ordered[done]; next !== undefined && next.at < on; next = ordered[++done]) play(teams, next)
    const places = placesOn(teams, on)
    if (places.length > 0) rankings.push({ on, places })
  }
  return rankings
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

const placesOn = (teams: ReadonlyMap<number, Rated>, on: number): ReadonlyArray<WorldPlace> =>
  [...teams]
    .filter(([, { lastAt, series }]) => series >= NEWCOMER_SERIES && on - lastAt <= ACTIVE_MS)
    .map(([team, { points }]) => ({ team, points: Math.round(points * 10) / 10 }))
    .sort((a, b) => b.points - a.points || a.team - b.team)
    .slice(0, MAX_PLACES)
    .map((place, index) => ({ rank: index + 1, ...place }))
