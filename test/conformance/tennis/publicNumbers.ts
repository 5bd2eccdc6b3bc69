/**
 * Computes publicly known numbers of tennis from the CSV files of an archive: head-to-head records of famous pairs,
 * titles by surface, the most aces of a season, and weeks at number one. Uses neither the import nor the database.
 */
import { join } from "node:path"
import { filesOf, readCsv, type Tour } from "./archiveCsv.ts"

export type BySurface = Readonly<Record<string, number>>

export interface HeadToHead {
  readonly playerIds: readonly [string, string]
  /** Wins of each player in all singles matches of the archive, with and without walkovers. */
  readonly wins: readonly [number, number]
  readonly played: readonly [number, number]
  /** Won finals of tournaments, without walkovers and without team competitions, which have several finals. */
  readonly finals: readonly [number, number]
  /** Wins by surface, without walkovers. The surface is empty if it is unknown. */
  readonly surfaces: readonly [BySurface, BySurface]
}

export interface Titles {
  readonly playerId: string
  /** Finals won in the main tour, without team competitions. */
  readonly total: number
  readonly surfaces: BySurface
}

export interface AceLeader {
  readonly playerId: string
  readonly aces: number
}

export interface AceSeason {
  readonly tour: Tour
  readonly year: number
  /** Main tour, most aces first. */
  readonly leaders: ReadonlyArray<AceLeader>
}

export interface NumberOne {
  readonly playerId: string
  /** Number of stored ranking lists with this player at rank 1. */
  readonly lists: number
  /** Weeks for which these lists were valid, without gaps of the archive. */
  readonly weeks: number
}

export interface PublicNumbers {
  readonly headToHeads: ReadonlyArray<HeadToHead>
  readonly titles: ReadonlyArray<Titles>
  readonly aces: ReadonlyArray<AceSeason>
  readonly numberOnes: ReadonlyArray<NumberOne>
}

/** Numbers of players in the archive. */
export const players = {
  federer: "atp_103819",
  nadal: "atp_104745",
  djokovic: "atp_104925",
  sampras: "atp_101948",
  agassi: "atp_101736",
  lendl: "atp_100656",
  mcEnroe: "atp_100581",
  borg: "atp_100437",
  becker: "atp_101414",
  edberg: "atp_101222",
  serena: "wta_200033",
  venus: "wta_200748",
  evert: "wta_200259",
  navratilova: "wta_200293",
  graf: "wta_200414",
  seles: "wta_200652",
  henin: "wta_200003",
  clijsters: "wta_200079",
} as const

const pairs: ReadonlyArray<readonly [keyof typeof players, keyof typeof players]> = [
  ["federer", "nadal"],
  ["djokovic", "nadal"],
  ["djokovic", "federer"],
  ["sampras", "agassi"],
  ["lendl", "mcEnroe"],
  ["borg", "mcEnroe"],
  ["becker", "edberg"],
  ["serena", "venus"],
  ["evert", "navratilova"],
  ["graf", "seles"],
  ["navratilova", "graf"],
  ["henin", "clijsters"],
]

const champions: ReadonlyArray<keyof typeof players> = ["federer", "nadal", "djokovic", "agassi", "sampras", "serena", "graf", "evert"]

/** Longest time for which a ranking list is considered valid. Longer times are gaps of the archive. */
const LONGEST_LIST_DAYS = 21

/** Returns the numbers of a data directory. They are computed once per process, which takes about ten seconds. */
export const publicNumbers = (dataDirectory: string): PublicNumbers => {
  const known = computed.get(dataDirectory) ?? compute(dataDirectory)
  computed.set(dataDirectory, known)
  return known
}

const computed = new Map<string, PublicNumbers>()

const compute = (dataDirectory: string): PublicNumbers => {
  const folder = join(dataDirectory, "tennis")
  const matches = new MatchNumbers()
  for (const tour of ["atp", "wta"] as const) {
    for (const file of filesOf(join(folder, tour), new RegExp(`^${tour}_matches_(?!doubles)`, "u"))) {
      const isMainTour = /_matches_\d{4}\./u.test(file)
      readCsv(file, (row) => {
        matches.take({
          tour,
          isMainTour,
          winner: `${tour}_${row("winner_id")}`,
          loser: `${tour}_${row("loser_id")}`,
          // Files of the WTA repeat matches.
          key: tour === "atp" ? undefined : ["tourney_id", "winner_id", "loser_id", "round", "score"].map(row).join(":"),
          // A season may begin in the last days of the year before.
          year: Number(row("tourney_id").slice(0, 4)),
          surface: row("surface"),
          tournament: row("tourney_id"),
          level: row("tourney_level"),
          round: row("round"),
          isWalkover: /w\/o|walkover/iu.test(row("score")),
          aces: [Number(row("w_ace")), Number(row("l_ace"))],
        })
      })
    }
  }
  return { ...matches.result(), numberOnes: (["atp", "wta"] as const).flatMap((tour) => numberOnesOf(join(folder, "rankings"), tour)) }
}

interface MatchFacts {
  readonly tour: Tour
  readonly isMainTour: boolean
  readonly winner: string
  readonly loser: string
  readonly key: string | undefined
  readonly year: number
  readonly surface: string
  readonly tournament: string
  readonly level: string
  readonly round: string
  readonly isWalkover: boolean
  readonly aces: readonly [number, number]
}

class MatchNumbers {
  readonly #known = new Set<string>()
  readonly #pairs = new Map<string, Array<MatchFacts>>()
  readonly #titles = new Map<string, Array<MatchFacts>>()
  readonly #aces = new Map<string, Map<string, number>>()
  /** Distinct finals by tournament. */
  readonly #finals = new Map<string, Set<string>>()

  constructor() {
    for (const [one, other] of pairs) this.#pairs.set([players[one], players[other]].sort().join(), [])
    for (const champion of champions) this.#titles.set(players[champion], [])
  }

  take(match: MatchFacts): void {
    if (match.round === "F") {
      const finals = this.#finals.get(finalKey(match)) ?? new Set()
      this.#finals.set(finalKey(match), finals.add(`${match.winner} ${match.loser}`))
    }
    const pair = this.#pairs.get([match.winner, match.loser].sort().join())
    const titles = match.isMainTour && match.round === "F" && match.level !== "D" ? this.#titles.get(match.winner) : undefined
    const hasAces = match.isMainTour && match.aces[0] + match.aces[1] > 0
    if (pair === undefined && titles === undefined && !hasAces) return
    if (match.key !== undefined) {
      const key = `${match.isMainTour}:${match.key}`
      if (this.#known.has(key)) return
      this.#known.add(key)
    }
    pair?.push(match)
    titles?.push(match)
    if (hasAces) this.#addAces(match)
  }

  result(): Omit<PublicNumbers, "numberOnes"> {
    return {
      headToHeads: pairs.map(([one, other]) => headToHead(this.#pairs, this.#finals, players[one], players[other])),
      titles: [...this.#titles].map(([playerId, won]) => {
        // A team competition has several finals, and none of them gives a title.
        const surfaces = won.filter((match) => this.#finals.get(finalKey(match))?.size === 1).map(({ surface }) => surface)
        return { playerId, total: surfaces.length, surfaces: counted(surfaces) }
      }),
      aces: [...this.#aces].map(([season, aces]) => {
        const [tour, year] = season.split(" ")
        const leaders = [...aces].map(([playerId, count]) => ({ playerId, aces: count })).sort((a, b) => b.aces - a.aces)
        return { tour: tour === "atp" ? "atp" : "wta", year: Number(year), leaders }
      }),
    }
  }

  #addAces({ aces, loser, tour, winner, year }: MatchFacts): void {
    const season = `${tour} ${year}`
    const counts = this.#aces.get(season) ?? new Map<string, number>()
    this.#aces.set(season, counts)
    counts.set(winner, (counts.get(winner) ?? 0) + aces[0])
    counts.set(loser, (counts.get(loser) ?? 0) + aces[1])
  }
}

const finalKey = ({ isMainTour, tour, tournament }: MatchFacts): string => `${tour} ${isMainTour} ${tournament}`

const headToHead = (
  matches: ReadonlyMap<string, ReadonlyArray<MatchFacts>>,
  finals: ReadonlyMap<string, ReadonlySet<string>>,
  one: string,
  other: string,
): HeadToHead => {
  const isFinal = (match: MatchFacts) => match.round === "F" && match.level !== "D" && finals.get(finalKey(match))?.size === 1
  const all = matches.get([one, other].sort().join()) ?? []
  const wonBy = (player: string) => all.filter(({ winner }) => winner === player)
  const both = <A>(of: (won: ReadonlyArray<MatchFacts>) => A): readonly [A, A] => [of(wonBy(one)), of(wonBy(other))]
  return {
    playerIds: [one, other],
    wins: both((won) => won.length),
    played: both((won) => played(won).length),
    finals: both((won) => played(won).filter(isFinal).length),
    surfaces: both((won) => counted(played(won).map(({ surface }) => surface))),
  }
}

const played = (matches: ReadonlyArray<MatchFacts>) => matches.filter(({ isWalkover }) => !isWalkover)

const counted = (values: ReadonlyArray<string>): BySurface => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const numberOnesOf = (folder: string, tour: Tour): ReadonlyArray<NumberOne> => {
  const days = new Set<string>()
  const first = new Map<string, Set<string>>()
  for (const file of filesOf(folder, new RegExp(`^${tour}_rankings_`, "u"))) {
    readCsv(file, (row) => {
      const day = row("ranking_date")
      days.add(day)
      if ((row("rank") || row("ranking")) !== "1") return
      first.set(day, (first.get(day) ?? new Set()).add(`${tour}_${row("player") || row("player_id")}`))
    })
  }
  const sorted = [...days].sort()
  const totals = new Map<string, { lists: number; days: number }>()
  for (const [index, day] of sorted.entries()) {
    const next = sorted[index + 1]
    const valid = next === undefined ? 7 : (dayNumber(next) - dayNumber(day)) / 86_400_000
    for (const player of first.get(day) ?? []) {
      const total = totals.get(player) ?? { lists: 0, days: 0 }
      totals.set(player, { lists: total.lists + 1, days: total.days + (valid > LONGEST_LIST_DAYS ? 7 : valid) })
    }
  }
  return [...totals].map(([playerId, total]) => ({ playerId, lists: total.lists, weeks: total.days / 7 })).sort((a, b) => b.weeks - a.weeks)
}

const dayNumber = (day: string): number => Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)))
