/**
 * Season leaderboards: what each one counts, and the smallest sample with which a player is listed. The value of a board
 * is `numerator / denominator` (`share`, 0 to 1), or only the numerator (`count`). All boards count singles matches of
 * the main tours. A season is the year in the id of the tournament, so a tournament that starts in the last days of
 * December belongs to the next season.
 *
 * - Serve and break statistics come from matches whose source recorded them. A match counts for a board only if both the
 *   numerator and the denominator were recorded.
 * - A break point converted is a break point that the opponent faced and did not save. Each conversion wins a return
 *   game, so the return games won are the break points converted.
 * - A first set counts if it was completed: it was not the last set, or the match was completed, or its games end a set.
 *   A win after the opponent retired counts, also if it retired right after the first set.
 * - A deciding set is the last set of a completed match before which both players had won the same number of sets. A
 *   match tie-break in place of a set counts as a deciding set.
 * - A tie-break is a set that ended 7-6, or for which the points of a tie-break are stated. A match tie-break is none.
 * - A final is a match of round `F`. Tournaments with several such matches, which are team competitions, and Davis Cup
 *   and Billie Jean King Cup (level `D`) have no final. A final won by walkover counts as won.
 */

export interface Board {
  readonly unit: "share" | "count"
  readonly numerator: string
  readonly denominator: string
  /**
   * Smallest denominator with which a player is listed. For serve and return it is about ten matches, so that players
   * with a few matches do not lead the board. Players with the numerator 0 are not listed on boards whose unit is
   * `count`.
   */
  readonly minimumSample: number
}

export const boards = {
  aces: { unit: "count", numerator: "aces", denominator: "matches with recorded aces", minimumSample: 1 },
  "1st-serve-won": {
    unit: "share",
    numerator: "points won after a first serve",
    denominator: "points with the first serve in",
    minimumSample: 400,
  },
  "break-conversion": { unit: "share", numerator: "break points converted", denominator: "break points", minimumSample: 60 },
  "break-points-saved": { unit: "share", numerator: "break points saved", denominator: "break points faced", minimumSample: 60 },
  "comeback-wins": {
    unit: "count",
    numerator: "matches won after the first set was lost",
    denominator: "matches in which the first set was lost",
    minimumSample: 1,
  },
  "deciding-set-record": { unit: "share", numerator: "deciding sets won", denominator: "deciding sets", minimumSample: 5 },
  "finals-record": { unit: "share", numerator: "finals won", denominator: "finals", minimumSample: 2 },
  "return-games-won": { unit: "share", numerator: "return games won", denominator: "return games", minimumSample: 120 },
  "tiebreak-win-pct": { unit: "share", numerator: "tie-breaks won", denominator: "tie-breaks", minimumSample: 8 },
} as const satisfies Readonly<Record<string, Board>>

export type BoardName = keyof typeof boards

export const boardNames = [
  "aces",
  "1st-serve-won",
  "break-conversion",
  "break-points-saved",
  "comeback-wins",
  "deciding-set-record",
  "finals-record",
  "return-games-won",
  "tiebreak-win-pct",
] as const satisfies ReadonlyArray<BoardName>

/** Formula such as `finals won / finals`. */
export const formulaOf = (name: BoardName): string => {
  const { denominator, numerator, unit } = boards[name]
  return unit === "count" ? numerator : `${numerator} / ${denominator}`
}
