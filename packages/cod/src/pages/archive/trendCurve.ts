/** Curve of a player's statistic: points from left to right, larger values higher. No side effects. */

export interface Scale {
  readonly low: number
  readonly high: number
}

/** Includes some room above and below. */
export const scaleOf = (values: ReadonlyArray<number>, average: number | null): Scale => {
  const all = average === null ? values : [...values, average]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const room = high === low ? Math.max(Math.abs(high) * 0.1, 0.1) : (high - low) * 0.1
  return { low: low - room, high: high + room }
}

/** Place from the top, 0 to 1. */
export const heightOf = (value: number, { high, low }: Scale) => (high - value) / (high - low)

/** SVG path. A single value is a line across the whole width. */
export const trendPath = (values: ReadonlyArray<number>, scale: Scale, width: number, height: number): string => {
  const yOf = (value: number) => round(heightOf(value, scale) * height)
  const [only] = values
  if (values.length === 1 && only !== undefined) return `M0 ${yOf(only)}H${width}`
  return values.map((value, index) => `${index === 0 ? "M" : "L"}${round((index / (values.length - 1)) * width)} ${yOf(value)}`).join("")
}

const round = (value: number) => Math.round(value * 10) / 10
