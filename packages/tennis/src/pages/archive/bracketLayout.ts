/** Bracket on a grid: the rounds are columns, and a place is as high as the two places that feed it. */

interface Round {
  readonly places: ReadonlyArray<{ readonly position: number }>
}

export interface Spot {
  /** First row of the place, from 1. */
  readonly row: number
  /** Rows that the place occupies. */
  readonly span: number
}

/** `round` counts from 0; the first round has one row per place. */
export const spotOf = (round: number, position: number): Spot => {
  const span = 2 ** round
  return { row: (position - 1) * span + 1, span }
}

export const rowsOf = (rounds: ReadonlyArray<Round>): number =>
  Math.max(0, ...rounds.flatMap(({ places }, round) => places.map(({ position }) => position * 2 ** round)))
