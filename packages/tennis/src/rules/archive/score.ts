/**
 * Parses the scores of archived matches, such as `6-4 6-7(5) 3-0 RET`. The games of the match's winner come first in
 * each set. The caller keeps the raw text, because some scores cannot be parsed.
 */
import { type MatchContext, verdictOf } from "./playedSets.ts"

/** `unknown` if the score does not state how the match ended, or states less than its end. */
export type Ending = "completed" | "retired" | "walkover" | "defaulted" | "unfinished" | "unknown"

/**
 * Why a score cannot be parsed. `empty`: no text. `placeholder`: a word for an unknown score, such as `UNK`.
 * `missing_games`: a set with unknown games, such as `6-?`. `spreadsheet_date`: a set that a spreadsheet changed to a
 * date, such as `7-Oct`. `joined_sets`: sets without a separator, such as `6-4-6-1`. `missing_dash`: a set such as `62`.
 * `impossible_set`: a set that cannot be played, such as `7-3` or `6-2(1)`. `other`: everything else.
 */
export const scoreProblems = [
  "empty",
  "placeholder",
  "missing_games",
  "spreadsheet_date",
  "joined_sets",
  "missing_dash",
  "impossible_set",
  "other",
] as const
export type ScoreProblem = (typeof scoreProblems)[number]

export interface SetScore {
  readonly winner: number
  readonly loser: number
  /** Points of the player that lost the tie-break, or `null` if there was none or its points are unknown. */
  readonly tiebreak: number | null
  /** In a match tie-break, `winner` and `loser` are points. */
  readonly isMatchTiebreak: boolean
}

export interface ArchiveScore {
  /** Sets in playing order. Empty if the score cannot be parsed. */
  readonly sets: ReadonlyArray<SetScore>
  readonly ending: Ending
  /** `null` if the whole score was parsed. */
  readonly problem: ScoreProblem | null
}

/** The ending is returned even without sets. Without a remark, it is `completed` only if the sets end such a match. */
export const parseScore = (raw: string, context: MatchContext): ArchiveScore => {
  const text = raw.replace(/&nbsp;/gu, " ").trim()
  if (text === "") return unparsed("empty", "unknown")
  if (placeholders.test(text)) return unparsed("placeholder", "unknown")
  const marker = endingPattern.exec(text)
  const ending = marker === null ? undefined : endingOf(marker[0])
  const played = (marker === null ? text : text.slice(0, marker.index)).trim()
  if (played === "") return { sets: [], ending: ending ?? "unknown", problem: null }
  const sets: Array<SetScore> = []
  for (const token of tokensOf(played)) {
    const set = setOf(token)
    if (set === undefined) return unparsed(problemOf(token), ending ?? "unknown")
    sets.push(set)
  }
  const verdict = verdictOf(sets, context)
  if (verdict === "impossible") return unparsed("impossible_set", ending ?? "unknown")
  return { sets, ending: ending ?? (verdict === "ended" ? "completed" : "unknown"), problem: null }
}

const placeholders = /^(?:unk|unknown|na|n\/a|[?>]+|\d sets)$/iu

/** Always at the end of the score. */
const endingPattern =
  /(?:^|[\s;])(?:ret(?:ired|\.|\+h\d+)?|re|w\/o|w\.?[o0]\.?|walkover|def(?:ault(?:ed)?|\.)?|ab[nd]?\.?|abandoned|unfinished|played and (?:unfinished|abandoned))$/iu

const endingOf = (marker: string): Ending => {
  const word = marker.replace(/^[\s;]/u, "").toLowerCase()
  if (word.startsWith("re")) return "retired"
  if (word.startsWith("w")) return "walkover"
  if (word.startsWith("d")) return "defaulted"
  return "unfinished"
}

/** Removes spaces inside a set, such as in `6- 2` and `7-6 (4)`. */
const tokensOf = (played: string): ReadonlyArray<string> =>
  (played.includes(" -") || played.includes("- ") || played.includes(" (")
    ? played.replace(/(\d) ?- ?(?=\d)/gu, "$1-").replace(/(7-6|6-7) \((?=\d+\))/gu, "$1(")
    : played
  ).split(/\s+/u)

const setPattern = /^(\d{1,2})-(\d{1,2})(?:\((\d{1,2})(?:-(\d{1,2}))?\))?$/u
const matchTiebreakPattern = /^(?:\[(\d{1,2})-(\d{1,2})\]|\((\d{1,2})-(\d{1,2})\))$/u

const setOf = (token: string): SetScore | undefined => {
  const set = setPattern.exec(token)
  if (set !== null) {
    const [, winner, loser, points, otherPoints] = set
    const tiebreak = points === undefined ? null : Math.min(Number(points), Number(otherPoints ?? points))
    return { winner: Number(winner), loser: Number(loser), tiebreak, isMatchTiebreak: false }
  }
  const match = matchTiebreakPattern.exec(token)
  if (match === null) return undefined
  return { winner: Number(match[1] ?? match[3]), loser: Number(match[2] ?? match[4]), tiebreak: null, isMatchTiebreak: true }
}

const problemOf = (token: string): ScoreProblem => {
  if (token.includes("?") || /^(?:\d{1,2}-|-\d{1,2})$/u.test(token)) return "missing_games"
  if (/^(?:\d{1,2}-[a-z]{3}|[a-z]{3}-\d{1,2})$/iu.test(token)) return "spreadsheet_date"
  if (/^\d+(?:-\d+){2,}$/u.test(token) || /^\d-\d{3,}$/u.test(token)) return "joined_sets"
  return /^\d{1,3}$/u.test(token) ? "missing_dash" : "other"
}

const unparsed = (problem: ScoreProblem, ending: Ending): ArchiveScore => ({ sets: [], ending, problem })
