/**
 * Merges rows of the standings that describe the same series.
 *
 * The standings consist of many ranking lists. Each list uses the name that a lineup had when the list was made. If a
 * team changed its name or its organisation, the same series therefore appears under each name. Two rows of the same
 * day describe a series between the same two teams (a "pairing") if their lineups share at least three players on both
 * sides. The standings themselves identify teams by this rule (valve/counter-strike_regional_standings, "core"). If a
 * lineup is missing, the names must be equal.
 *
 * A pairing may play several series a day, which then appear under the same pair of names. If a pairing appears under
 * several pairs of names, the pair with the most rows determines the number of series.
 */
import { handleKey, nameKey } from "../../../rules/archive/names.ts"

export const CORE = 3

export interface ListedTeam {
  readonly name: string
  /** Handles of the players. Empty if the lineup is unknown. */
  readonly roster: ReadonlyArray<string>
}

export interface ListedSeries {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly teams: readonly [ListedTeam, ListedTeam]
  readonly winner: 0 | 1
  readonly ordinal: number
  /** A list counts the series as a LAN win. False means unknown. */
  readonly isLan: boolean
  /** Number of ranking lists that contain the series. */
  readonly seen: number
}

export type Series = Omit<ListedSeries, "seen">

/** Name of a lineup on the given day, if it is known and one of `among`. */
export type NameOn = (roster: ReadonlyArray<string>, date: string, among: ReadonlySet<string>) => string | undefined

interface Pairing {
  readonly handles: readonly [ReadonlySet<string>, ReadonlySet<string>]
  /** In all rows, the teams are in the same order as in the first one. */
  readonly rows: Array<ListedSeries>
}

/** Each merged series takes the position of its first row. */
export const seriesOfDay = (rows: ReadonlyArray<ListedSeries>, nameOn: NameOn): ReadonlyArray<Series> => {
  const pairings: Array<Pairing> = []
  for (const row of rows) {
    const handles = handlesOf(row)
    const straight = pairings.find((pairing) => isSame(pairing, row, handles))
    if (straight !== undefined) {
      straight.rows.push(row)
      continue
    }
    const turned = turn(row)
    const other = pairings.find((pairing) => isSame(pairing, turned, [handles[1], handles[0]]))
    if (other !== undefined) other.rows.push(turned)
    else pairings.push({ handles, rows: [row] })
  }
  return numbered(pairings.flatMap((pairing) => seriesOf(pairing, nameOn)))
}

/**
 * Numbers the series of one day with the same pair of team names, as part of their keys. Keys would not be unique
 * otherwise, because different teams with the same name may play the same opponent on one day.
 */
const numbered = (all: ReadonlyArray<Series>): ReadonlyArray<Series> => {
  const counts = new Map<string, number>()
  return all.map((series) => {
    const names = JSON.stringify(series.teams.map(({ name }) => name))
    const ordinal = counts.get(names) ?? 0
    counts.set(names, ordinal + 1)
    return { ...series, ordinal }
  })
}

const isSame = ({ handles, rows }: Pairing, row: ListedSeries, own: Pairing["handles"]): boolean =>
  ([0, 1] as const).every((side) => {
    if (handles[side].size > 0 && own[side].size > 0) return shared(handles[side], own[side]) >= CORE
    const name = nameKey(row.teams[side].name)
    return rows.some(({ teams }) => nameKey(teams[side].name) === name)
  })

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let count = 0
  for (const handle of one) if (other.has(handle)) count += 1
  return count
}

const seriesOf = ({ rows }: Pairing, nameOn: NameOn): ReadonlyArray<Series> => {
  const [first] = rows
  if (first === undefined) return []
  const teams = teamsOf(rows, nameOn)
  const isLan = rows.some((row) => row.isLan)
  return ([0, 1] as const)
    .flatMap((winner) => mostUnderOneName(rows.filter((row) => row.winner === winner)))
    .sort((a, b) => a.ordinal - b.ordinal || a.winner - b.winner)
    .map(({ ordinal, winner }) => ({ date: first.date, teams, winner, ordinal, isLan }))
}

const mostUnderOneName = (rows: ReadonlyArray<ListedSeries>): ReadonlyArray<ListedSeries> => {
  const byNames = Map.groupBy(rows, ({ teams }) => JSON.stringify(teams.map(({ name }) => name)))
  return [...byNames.values()].reduce((most, some) => (some.length > most.length ? some : most), [])
}

/**
 * If a team name has moved from the lineup on one side to that on the other, both sides could get the same name. Both
 * names are then taken from a single row, because no row contains a team that plays against itself.
 */
const teamsOf = (rows: ReadonlyArray<ListedSeries>, nameOn: NameOn): Series["teams"] => {
  const teams = [teamOf(rows, 0, nameOn), teamOf(rows, 1, nameOn)] as const
  return nameKey(teams[0].name) === nameKey(teams[1].name) ? mostSeen(rows).teams : teams
}

const mostSeen = (rows: ReadonlyArray<ListedSeries>): ListedSeries => rows.reduce((one, other) => (other.seen > one.seen ? other : one))

const teamOf = (rows: ReadonlyArray<ListedSeries>, side: 0 | 1, nameOn: NameOn): ListedTeam => {
  const known = rows.filter(({ teams }) => teams[side].roster.length > 0)
  const best = mostSeen(known.length > 0 ? known : rows)
  const { name, roster } = best.teams[side]
  const names = new Set(rows.map(({ teams }) => teams[side].name))
  return { name: (names.size > 1 ? nameOn(roster, best.date, names) : undefined) ?? name, roster }
}

const turn = (row: ListedSeries): ListedSeries => ({ ...row, teams: [row.teams[1], row.teams[0]], winner: row.winner === 0 ? 1 : 0 })

const handlesOf = ({ teams: [one, other] }: ListedSeries): Pairing["handles"] => [
  new Set(one.roster.map(handleKey)),
  new Set(other.roster.map(handleKey)),
]
