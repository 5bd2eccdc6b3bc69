/**
 * Standings of a season or of one of its stages. Pure.
 *
 * League points are the points for wins of each tournament plus the points for places in it. Tournaments whose points
 * table is unknown give no points.
 */

export interface PlayedMatch {
  readonly team1Slug: string
  readonly team2Slug: string
  /** Maps won. Null if the source lacks maps of the match; then its maps do not count. */
  readonly team1Score: number | null
  readonly team2Score: number | null
  /** Null if the match has no winner. Then only its maps count. */
  readonly winnerSlug: string | null
  /** League points of the winner. Null if the points table of the tournament is unknown. */
  readonly pointsPerWin: number | null
}

export interface PlacePoints {
  readonly teamSlug: string
  readonly cdlPoints: number
}

export interface Standing {
  readonly teamSlug: string
  /** Teams that no criterion separates have the same rank. Null in all rows if no match and no place counts yet. */
  readonly rank: number | null
  /** Null if no points table is known. */
  readonly cdlPoints: number | null
  readonly matchWins: number
  readonly matchLosses: number
  readonly mapWins: number
  readonly mapLosses: number
}

/** Most important first. */
export const tieBreaks = [
  "league points, if they are known",
  "matches won",
  "fewer matches lost",
  "share of maps won",
  "matches won against the teams that are still tied",
  "maps won",
] as const

type Ranked = Omit<Standing, "rank">

/** 0 to 1, rounded to three decimals, or null without a win and a loss. */
export const winShare = (wins: number, losses: number): number | null =>
  wins + losses === 0 ? null : Math.round((wins / (wins + losses)) * 1_000) / 1_000

/** Best first. Matches of other teams count for the listed team only. */
export const standingsOf = (
  teams: ReadonlyArray<string>,
  matches: ReadonlyArray<PlayedMatch>,
  places: ReadonlyArray<PlacePoints>,
): ReadonlyArray<Standing> => {
  const known = matches.some(({ pointsPerWin }) => pointsPerWin !== null) || places.length > 0
  const rows = new Map(
    teams.map((teamSlug) => [teamSlug, { teamSlug, cdlPoints: known ? 0 : null, matchWins: 0, matchLosses: 0, mapWins: 0, mapLosses: 0 }]),
  )
  for (const { pointsPerWin, team1Score, team1Slug, team2Score, team2Slug, winnerSlug } of matches) {
    for (const [slug, won, lost] of [[team1Slug, team1Score, team2Score] as const, [team2Slug, team2Score, team1Score] as const]) {
      const row = rows.get(slug)
      if (row === undefined) continue
      row.mapWins += won ?? 0
      row.mapLosses += lost ?? 0
      if (winnerSlug === null) continue
      if (winnerSlug === slug) row.matchWins += 1
      else row.matchLosses += 1
      if (winnerSlug === slug && row.cdlPoints !== null) row.cdlPoints += pointsPerWin ?? 0
    }
  }
  for (const { cdlPoints, teamSlug } of places) {
    const row = rows.get(teamSlug)
    if (row !== undefined && row.cdlPoints !== null) row.cdlPoints += cdlPoints
  }
  if (places.length === 0 && !matches.some(({ team1Slug, team2Slug }) => rows.has(team1Slug) || rows.has(team2Slug)))
    return [...rows.values()].toSorted(byName).map((row) => ({ ...row, rank: null }))
  return rankedByMutualMatches([...rows.values()], matches)
}

const byName = (one: Ranked, other: Ranked): number => (one.teamSlug < other.teamSlug ? -1 : 1)

/** Compares by the criteria that need no other team. */
const beforeMutual = (one: Ranked, other: Ranked): number =>
  (other.cdlPoints ?? 0) - (one.cdlPoints ?? 0) ||
  other.matchWins - one.matchWins ||
  one.matchLosses - other.matchLosses ||
  mapShare(other) - mapShare(one)

const mapShare = ({ mapLosses, mapWins }: Ranked): number => (mapWins === 0 ? 0 : mapWins / (mapWins + mapLosses))

const rankedByMutualMatches = (rows: ReadonlyArray<Ranked>, matches: ReadonlyArray<PlayedMatch>): ReadonlyArray<Standing> => {
  const groups: Array<Array<Ranked>> = []
  for (const row of rows.toSorted((one, other) => beforeMutual(one, other) || byName(one, other))) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && beforeMutual(last[0], row) === 0) last.push(row)
    else groups.push([row])
  }
  const standings: Array<Standing> = []
  for (const group of groups) {
    const slugs = new Set(group.map(({ teamSlug }) => teamSlug))
    const mutual = matches.filter(({ team1Slug, team2Slug }) => slugs.has(team1Slug) && slugs.has(team2Slug))
    const winsOf = (slug: string) => mutual.filter(({ winnerSlug }) => winnerSlug === slug).length
    const compare = (one: Ranked, other: Ranked) => winsOf(other.teamSlug) - winsOf(one.teamSlug) || other.mapWins - one.mapWins
    const sorted = group.toSorted(compare)
    const start = standings.length
    let rank = start + 1
    for (const [index, row] of sorted.entries()) {
      const previous = sorted[index - 1]
      if (previous !== undefined && compare(previous, row) !== 0) rank = start + index + 1
      standings.push({ ...row, rank })
    }
  }
  return standings
}
