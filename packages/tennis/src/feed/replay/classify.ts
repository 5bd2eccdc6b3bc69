/** Classifies differences between the folded score of a point string and the score of the file. Pure. */
import { parseScore } from "../../rules/archive/score.ts"
import { otherSide } from "../../rules/live/format.ts"
import { scoreText } from "../../rules/live/scores.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { formatOf } from "./matchFormats.ts"
import type { PointRow } from "./pointRows.ts"
import { foldString, withPoint } from "./pointString.ts"
import { agreementOf } from "./separators.ts"

/** Classes with the explanation that the check prints. The first class that fits is assigned. */
export const exceptionClasses = {
  score_malformed: "the score column is not a score, such as 7-6(-3)",
  not_over: "the score is equal, but more sets are due: a retirement, or a match of fewer sets than the format has",
  points_after_end: "the score is equal, but points follow the end of the match",
  winner_reversed: "the score is equal from the view of the other side: the winner column is wrong",
  letters_misplaced: "points marked A or D contradict the end of their game",
  games_broken: "a game in the string has too few or too many points",
  last_point_missing: "the string lacks the last point of the match",
  cut_off: "the string stops earlier, and the score column continues",
  more_sets: "the match ends by its format, but the string and the score column continue: another format",
  score_differs: "the string is complete, and the score column has another score",
} as const
export type ExceptionClass = keyof typeof exceptionClasses

/** Classes of strings that lack points, or the winners of points. No rule leads from them to the score. */
export const lostPoints: ReadonlySet<ExceptionClass> = new Set(["letters_misplaced", "games_broken", "last_point_missing", "cut_off"])

/** Year for the rules of scores. The recordings are from 2010 to 2015. */
const RECORDED = 2015

export type Comparison =
  | { readonly _tag: "Equal" }
  /**
   * `restored` is true if the score is equal after what the string has lost was restored: the winners of points marked A
   * or D from the separators, and one missing last point from the winner column.
   */
  | { readonly _tag: "Exception"; readonly class: ExceptionClass; readonly restored: boolean }

export const compare = (row: PointRow): Comparison => {
  const format = formatOf(row)
  const { state, surplus } = foldString(row.points, row, format)
  const isOver = state.status === "completed"
  const own = scoreText(state, row.winner)
  if (isOver && surplus === 0 && own === row.score) return { _tag: "Equal" }

  const exception = (name: ExceptionClass, restored = false): Comparison => ({ _tag: "Exception", class: name, restored })
  if (parseScore(row.score, { bestOf: format.bestOf, year: RECORDED }).problem !== null) return exception("score_malformed")
  const agreement = agreementOf(row.points)
  if (agreement._tag === "GamesBroken") return exception("games_broken")
  if (agreement._tag === "LettersMisplaced") {
    if (agreement.resolved === null) return exception("letters_misplaced")
    const resolved = foldString(agreement.resolved, row, format)
    const isEqual = resolved.surplus === 0 && (isEqualAtEnd(resolved.state, row) || isEqualAfterPoint(resolved.state, row))
    return exception("letters_misplaced", isEqual)
  }
  if (own === row.score) return exception(isOver ? "points_after_end" : "not_over")
  if (isOver && surplus === 0 && scoreText(state, otherSide(row.winner)) === row.score) return exception("winner_reversed")
  if (isEqualAfterPoint(state, row)) return exception("last_point_missing", true)
  if (isOver && surplus > 0) return exception("more_sets")
  return exception(!isOver && continues(state, row) ? "cut_off" : "score_differs")
}

const isEqualAtEnd = (state: MatchState, row: PointRow): boolean =>
  state.status === "completed" && scoreText(state, row.winner) === row.score

const isEqualAfterPoint = (state: MatchState, row: PointRow): boolean =>
  state.status === "live" && isEqualAtEnd(withPoint(state, row.winner, "normal"), row)

/** The score of the file begins with the completed sets of the state. */
const continues = (state: MatchState, { score, winner }: PointRow): boolean => {
  const completed = { ...state, game: null, sets: state.sets.filter((set) => set.winner !== null) }
  return completed.sets.length === 0 || `${score} `.startsWith(`${scoreText(completed, winner)} `)
}
