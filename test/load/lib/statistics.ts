// Owns the statistics that the benchmarks print.

/** NaN for an empty list, so that a missing measurement cannot pass for a number. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

export const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the mean of repeated measurements and its standard error, which is NaN for fewer than two values. */
export const meanAndError = (values: ReadonlyArray<number>): readonly [mean: number, error: number] => {
  const middle = mean(values)
  const squares = values.map((value) => (value - middle) ** 2)
  return [middle, Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (values.length - 1) / values.length)]
}

/** Nearest-rank percentile. `sorted` is ascending, `share` is 0 to 1. NaN for an empty list. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
