/**
 * Derives from lineups in which period a player or coach belonged to which team (a stay). `moves.ts` derives joins,
 * leaves and transfers from the stays. Times are epoch milliseconds.
 *
 * A lineup shows which players took part in a match, not which players have a contract. Lineups are interpreted by
 * these rules:
 *
 * - If a player plays for another team between two stays with the same team, the player was a stand-in for the other
 * team, and these matches are ignored. This applies to a single match, and to up to five matches if the player is back
 * within 30 days. A single match is also ignored if it lies between stays with two other teams, or if the team plays
 * its next five matches without the player.
 * - A player who has missed 90 days and ten matches of the team has left it. A player who has missed 21 days and five
 * matches but has not left is benched.
 * - A team has at most seven active players: those with the most recent match for the team, and if these are equal,
 * those with more matches. The other players are benched.
 * - A player in one of the first three matches of a team in the archive may have belonged to the team before, so no
 * join is recorded.
 */

export type RosterRole = "player" | "coach"
export type Confidence = "high" | "medium" | "low"

export interface Appearance {
  readonly team: number
  readonly role: RosterRole
  readonly at: number
}

export interface Stay {
  readonly team: number
  readonly role: RosterRole
  readonly firstMatchAt: number
  readonly lastMatchAt: number
  /** The second match of the stay, or the first if there is only one. Roster changes count as detected at this time. */
  readonly secondMatchAt: number
  readonly matches: number
  /** `null` if the player may have joined before the first match in the archive. */
  readonly joinedAt: number | null
  /** Time of the first team match without the player. `null` if the player is still with the team. */
  readonly leftAt: number | null
  /** When enough matches were missed for the departure to be certain; null if `leftAt` is null. */
  readonly leftDetectedAt: number | null
  readonly benchedAt: number | null
  readonly benchDetectedAt: number | null
  readonly confidence: Confidence
}

const DAY = 86_400_000
export const STAND_IN_MATCHES = 5
export const STAND_IN_MS = 30 * DAY
export const GONE = { matches: 10, ms: 90 * DAY } as const
export const BENCHED = { matches: 5, ms: 21 * DAY } as const
/** Five players and two substitutes. */
export const ACTIVE_PLAYERS = 7
const FOUNDING_MATCHES = 3
const MATCHES_OF_HIGH = 5

/**
 * The stays of a player in chronological order, without overlaps. `appearances` are the player's matches, in any order.
 * `matchesOf` returns the times of all matches of a team, oldest first, with or without the player. `isCrowdedOut`
 * returns true if the team already has seven other active players.
 */
export const spellsOf = (
  appearances: ReadonlyArray<Appearance>,
  matchesOf: (team: number) => ReadonlyArray<number>,
  isCrowdedOut: (team: number) => boolean = () => false,
): ReadonlyArray<Stay> => {
  const runs = withoutStandIns(runsOf(appearances))
    .flatMap((run) => splitByAbsence(run, matchesOf(run.team)))
    .filter((run, index, all) => !isOnce(run, all[index + 1], matchesOf(run.team)))
  return runs.map((run, index) =>
    spellOf(run, runs[index + 1], index === 0, matchesOf(run.team), run.role === "player" && isCrowdedOut(run.team)),
  )
}

/** Confidence by the number of matches of a stay. */
export const confidenceOf = (matches: number): Confidence => (matches >= MATCHES_OF_HIGH ? "high" : matches > 1 ? "medium" : "low")

interface Run {
  readonly team: number
  readonly role: RosterRole
  /** Times of consecutive matches for the team, oldest first. At least one. */
  readonly times: ReadonlyArray<number>
}

const first = (run: Run): number => run.times[0] ?? Number.NaN
const last = (run: Run): number => run.times.at(-1) ?? Number.NaN
const same = (one: Run | undefined, other: Run | undefined): boolean =>
  one !== undefined && one.team === other?.team && one.role === other.role

const runsOf = (appearances: ReadonlyArray<Appearance>): Array<Run> => {
  const ordered = appearances.toSorted((a, b) => a.at - b.at || a.team - b.team || a.role.localeCompare(b.role))
  const runs: Array<Run & { readonly times: Array<number> }> = []
  for (const { at, role, team } of ordered) {
    const current = runs.at(-1)
    if (current !== undefined && current.team === team && current.role === role) current.times.push(at)
    else runs.push({ team, role, times: [at] })
  }
  return runs
}

/**
 * Removes the matches as a stand-in, the shortest runs of consecutive matches first: a player who alternates between
 * two teams belongs to the one with more matches.
 */
const withoutStandIns = (found: Array<Run>): Array<Run> => {
  const runs = [...found]
  for (;;) {
    let shortest = -1
    for (let index = 1; index < runs.length - 1; index++) {
      const size = runs[index]?.times.length ?? 0
      if (isStandIn(runs, index) && (shortest < 0 || size < (runs[shortest]?.times.length ?? 0))) shortest = index
    }
    if (shortest < 0) return runs
    const [before, after] = [runs[shortest - 1], runs[shortest + 1]]
    if (before !== undefined && after !== undefined && same(before, after)) {
      runs.splice(shortest - 1, 3, { ...before, times: [...before.times, ...after.times] })
    } else runs.splice(shortest, 1)
  }
}

const isStandIn = (runs: ReadonlyArray<Run>, index: number): boolean => {
  const [before, run, after] = [runs[index - 1], runs[index], runs[index + 1]]
  if (before === undefined || run === undefined || after === undefined) return false
  if (run.times.length === 1) return true
  return (
    same(before, after) &&
    run.times.length <= STAND_IN_MATCHES &&
    run.times.length <= before.times.length + after.times.length &&
    first(after) - last(before) <= STAND_IN_MS
  )
}

const isOnce = (run: Run, next: Run | undefined, teamMatches: ReadonlyArray<number>): boolean => {
  if (run.times.length > 1) return false
  const until = next === undefined ? Number.POSITIVE_INFINITY : first(next)
  return whenMissing(teamMatches, first(run), until, { matches: BENCHED.matches, ms: 0 }) !== undefined
}

const splitByAbsence = (run: Run, teamMatches: ReadonlyArray<number>): ReadonlyArray<Run> => {
  const parts: Array<Run> = []
  let from = 0
  for (let index = 1; index <= run.times.length; index++) {
    const [at, next] = [run.times[index - 1], run.times[index]]
    if (at !== undefined && next !== undefined && whenMissing(teamMatches, at, next, GONE) === undefined) continue
    parts.push({ ...run, times: run.times.slice(from, index) })
    from = index
  }
  return parts
}

const spellOf = (run: Run, next: Run | undefined, isFirst: boolean, teamMatches: ReadonlyArray<number>, crowdedOut: boolean): Stay => {
  const firstMatchAt = first(run)
  const lastMatchAt = last(run)
  const until = next === undefined ? Number.POSITIVE_INFINITY : first(next)
  const missedAt = firstAfter(teamMatches, lastMatchAt)
  const gone = whenMissing(teamMatches, lastMatchAt, until, GONE)
  const isLast = next === undefined && gone === undefined
  const missing = isLast ? whenMissing(teamMatches, lastMatchAt, until, BENCHED) : undefined
  const benched = missing ?? (isLast && crowdedOut ? (missedAt ?? lastMatchAt) : undefined)
  const left = next !== undefined || gone !== undefined
  return {
    team: run.team,
    role: run.role,
    firstMatchAt,
    lastMatchAt,
    secondMatchAt: run.times[1] ?? firstMatchAt,
    matches: run.times.length,
    joinedAt: isFirst && countBefore(teamMatches, firstMatchAt) < FOUNDING_MATCHES ? null : firstMatchAt,
    leftAt: left ? Math.min(missedAt ?? until, until) : null,
    leftDetectedAt: left ? (gone ?? next?.times[1] ?? until) : null,
    benchedAt: benched === undefined ? null : (missedAt ?? lastMatchAt),
    benchDetectedAt: benched ?? null,
    confidence: confidenceOf(run.times.length),
  }
}

/**
 * The first team match between `from` and `until` (both exclusive) at which the player had been absent for as many
 * matches and as long as `rule` requires.
 */
const whenMissing = (
  teamMatches: ReadonlyArray<number>,
  from: number,
  until: number,
  rule: { readonly matches: number; readonly ms: number },
): number | undefined => {
  const start = countUpTo(teamMatches, from)
  for (let index = start + rule.matches - 1; index < teamMatches.length; index++) {
    const at = teamMatches[index]
    if (at === undefined || at >= until) return undefined
    if (at - from >= rule.ms) return at
  }
  return undefined
}

/** How many are at or before `at`. `ascending` must be in ascending order. */
const countUpTo = (ascending: ReadonlyArray<number>, at: number): number => {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1
    else high = middle
  }
  return low
}

const countBefore = (ascending: ReadonlyArray<number>, at: number): number => countUpTo(ascending, at - 1)

const firstAfter = (ascending: ReadonlyArray<number>, at: number): number | undefined => ascending[countUpTo(ascending, at)]
