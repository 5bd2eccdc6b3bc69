/**
 * Direction of a series. Pure.
 *
 * The Mann-Kendall test decides (Mann 1945, Kendall 1975): S is the number of pairs in which the later value is larger,
 * minus the number in which it is smaller. Without a trend, S has the mean 0 and the variance
 * `(n(n-1)(2n+5) - sum of t(t-1)(2t+5)) / 18`, where t are the sizes of groups of equal values. The trend is `rising` or
 * `falling` if `(|S| - 1) / sqrt(variance)` is at least 1.645, which random values reach in at most 10 % of all series.
 * It needs no normal distribution, and outliers hardly matter.
 */

export const trends = ["rising", "stable", "falling"] as const
export type Trend = (typeof trends)[number]

/** The test cannot find a trend in fewer values. */
export const MINIMUM_POINTS = 4

/** Two-sided 10 % quantile of the standard normal distribution. */
const CRITICAL = 1.645

/** `values` are in the order of time. Null if there are too few. */
export const trendOf = (values: ReadonlyArray<number>): Trend | null => {
  const n = values.length
  if (n < MINIMUM_POINTS) return null
  let s = 0
  for (const [index, value] of values.entries()) for (const later of values.slice(index + 1)) s += Math.sign(later - value)
  const weight = (size: number) => size * (size - 1) * (2 * size + 5)
  const ties = [...Map.groupBy(values, (value) => value).values()].reduce((sum, group) => sum + weight(group.length), 0)
  const variance = (weight(n) - ties) / 18
  if (variance === 0 || (Math.abs(s) - 1) / Math.sqrt(variance) < CRITICAL) return "stable"
  return s > 0 ? "rising" : "falling"
}
