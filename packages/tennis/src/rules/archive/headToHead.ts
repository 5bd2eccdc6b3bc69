export interface Meeting {
  readonly winnerId: string
  readonly year: number
  readonly surface: string | null
  readonly level: string | null
  readonly circuit: string
  /** Final of a tournament. Team competitions have none. */
  readonly isFinal: boolean
  readonly status: string
}

export interface Wins {
  readonly player1_wins: number
  readonly player2_wins: number
}

export interface MeetingCounts extends Wins {
  readonly matches: number
  readonly walkovers: number
  readonly main_tour: Wins
  readonly finals: Wins
  readonly grand_slams: Wins
  readonly by_surface: ReadonlyArray<Wins & { readonly surface: string | null }>
  readonly by_level: ReadonlyArray<Wins & { readonly level: string | null }>
  readonly by_year: ReadonlyArray<Wins & { readonly year: number }>
}

/** Matches with these endings have no winner on the court. They are listed but not counted. */
export const uncountedEndings: ReadonlyArray<string> = ["walkover", "unfinished"]

/** All meetings must be between `player1` and one other player. Splits: most matches first, years newest first. */
export const countMeetings = (player1: string, meetings: ReadonlyArray<Meeting>): MeetingCounts => {
  const counted = meetings.filter(({ status }) => !uncountedEndings.includes(status))
  const winsIn = (some: ReadonlyArray<Meeting>): Wins => {
    const player1_wins = some.filter(({ winnerId }) => winnerId === player1).length
    return { player1_wins, player2_wins: some.length - player1_wins }
  }
  const split = <A>(of: (meeting: Meeting) => A): ReadonlyArray<readonly [A, Wins, number]> =>
    [...Map.groupBy(counted, of)]
      .map(([value, some]) => [value, winsIn(some), some.length] as const)
      .sort((one, other) => other[2] - one[2])
  return {
    matches: counted.length,
    ...winsIn(counted),
    walkovers: meetings.filter(({ status }) => status === "walkover").length,
    main_tour: winsIn(counted.filter(({ circuit }) => circuit === "tour")),
    finals: winsIn(counted.filter(({ isFinal }) => isFinal)),
    grand_slams: winsIn(counted.filter(({ level }) => level === "G")),
    by_surface: split(({ surface }) => surface).map(([surface, wins]) => ({ surface, ...wins })),
    by_level: split(({ level }) => level).map(([level, wins]) => ({ level, ...wins })),
    by_year: split(({ year }) => year)
      .map(([year, wins]) => ({ year, ...wins }))
      .sort((one, other) => other.year - one.year),
  }
}

/** Wins of one player over another. */
export interface PairWins {
  readonly winnerId: string
  readonly loserId: string
  readonly wins: number
}

/** Wins and losses against the others, in the order of `ids`, and wins of every pair. Missing pairs count as zero. */
export const matrixOf = (ids: ReadonlyArray<string>, wins: ReadonlyArray<PairWins>) => {
  const known = new Map(wins.map((pair) => [`${pair.winnerId} ${pair.loserId}`, pair.wins]))
  const over = (winnerId: string, loserId: string): number => known.get(`${winnerId} ${loserId}`) ?? 0
  const sum = (counts: ReadonlyArray<number>): number => counts.reduce((total, count) => total + count, 0)
  return {
    totals: ids.map((id) => ({ wins: sum(ids.map((other) => over(id, other))), losses: sum(ids.map((other) => over(other, id))) })),
    pairs: ids.flatMap((player1_id, index) =>
      ids.slice(index + 1).map((player2_id) => ({
        player1_id,
        player2_id,
        player1_wins: over(player1_id, player2_id),
        player2_wins: over(player2_id, player1_id),
      })),
    ),
  }
}
