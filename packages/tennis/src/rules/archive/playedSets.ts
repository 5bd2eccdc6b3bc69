/**
 * Decides whether the sets of a score can have been played, and whether they end the match. Knows the usual sets to six
 * games, sets to four games, single sets to 8 or 10 games, sets to 21 or 31 points (1968), and the tie-breaks at 5-5 and
 * 8-8 that were played until 1980.
 */
import type { SetScore } from "./score.ts"

export interface MatchContext {
  /** Number of sets as the source states it, or null. */
  readonly bestOf: number | null
  readonly year: number
}

/** `open`: the sets are possible, and do not end the match. */
export type Verdict = "ended" | "open" | "impossible"

/** The sets are in playing order and at least one. */
export const verdictOf = (sets: ReadonlyArray<SetScore>, { bestOf, year }: MatchContext): Verdict => {
  const setting: Setting = { year, sets: sets.length, isShort: areShortSets(sets), isByPoints: sets.some(isByPoints) }
  const states = sets.map((set, index) => stateOf(set, index, setting))
  // An open set ends only with the match, so it cannot precede another set.
  if (states.includes("impossible") || states.slice(0, -1).includes("open")) return "impossible"
  if (states.at(-1) === "open") return "open"
  const won = sets.filter(({ loser, winner }) => winner > loser).length
  const needed = isOneSetMatch(sets) ? 1 : bestOf === null ? 1 : Math.floor(bestOf / 2) + 1
  return won >= needed && won > sets.length - won ? "ended" : "open"
}

interface Setting {
  readonly year: number
  readonly sets: number
  readonly isShort: boolean
  readonly isByPoints: boolean
}

type SetState = "whole" | "open" | "impossible"

/** Since then, 6-5 and 9-8 are scores of sets that were not played to the end. */
const LAST_YEAR_OF_EARLY_TIEBREAKS = 1980

/** No set with a difference of less than two games lasted longer. A higher score is two sets that were joined. */
const MOST_GAMES = 40

const stateOf = (set: SetScore, index: number, { isByPoints: byPoints, isShort, sets, year }: Setting): SetState => {
  const [most, least] = gamesOf(set)
  const lead = most - least
  const isLast = index === sets - 1
  if (set.isMatchTiebreak) return lead === 0 ? "open" : "whole"
  // A tie-break decides a set by one game. A match tie-break may be written as a set of 1-0, and a tie-break that was
  // not played to its end as a set of 6-6.
  if (set.tiebreak !== null) return lead === 1 && (most === 1 || most >= 4) ? "whole" : lead === 0 && most === 6 ? "open" : "impossible"
  if (most < 6) return (isShort && isShortSet(set)) || (byPoints && isLast && most === 5) ? "whole" : "open"
  if (most === 6) return lead >= 2 || (lead === 1 && year <= LAST_YEAR_OF_EARLY_TIEBREAKS) ? "whole" : "open"
  if (most === 7) return lead === 0 ? "open" : lead <= 2 ? "whole" : "impossible"
  if (lead === 2 || isByPoints(set)) return "whole"
  if (lead > 2) return (sets === 1 && isProSet(set)) || (isLast && most === 10) ? "whole" : "impossible"
  if (lead === 1 && ((most === 9 && year <= LAST_YEAR_OF_EARLY_TIEBREAKS) || (sets === 1 && isProSet(set)))) return "whole"
  return most < MOST_GAMES ? "open" : "impossible"
}

const gamesOf = ({ loser, winner }: SetScore): readonly [most: number, least: number] =>
  winner > loser ? [winner, loser] : [loser, winner]

/** Sets to four games are recognized only if all sets of a match are such sets. The last one may be open. */
const areShortSets = (sets: ReadonlyArray<SetScore>): boolean =>
  sets.length > 1 &&
  sets.every((set, index) => set.isMatchTiebreak || isShortSet(set) || (index === sets.length - 1 && gamesOf(set)[0] < 6))

const isShortSet = (set: SetScore): boolean => {
  const [most, least] = gamesOf(set)
  return (most === 4 && least < 4) || (most === 5 && (least === 3 || least === 4))
}

const isByPoints = (set: SetScore): boolean => {
  const [most, least] = gamesOf(set)
  return (most === 21 || most === 31) && most !== least
}

const isProSet = (set: SetScore): boolean => [8, 9, 10].includes(gamesOf(set)[0])

/** A single set whose games are possible only in a match of one set. */
const isOneSetMatch = ([only, ...others]: ReadonlyArray<SetScore>): boolean => {
  if (only === undefined || others.length > 0) return false
  const [most, least] = gamesOf(only)
  return isByPoints(only) || (isProSet(only) && most - least !== 2)
}
