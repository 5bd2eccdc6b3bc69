/** States why an analytic value is null. */

export const gapReasons = ["no_maps", "not_recorded", "below_minimum_sample", "too_few_teams", "too_few_points"] as const

/**
 * - `no_maps`: there is no played map in the archive, within the season and the caller's history.
 * - `not_recorded`: there are maps, but no source has counted what the value needs.
 * - `below_minimum_sample`: the sample is smaller than the minimum.
 * - `too_few_teams`: there are too few teams to compare with.
 * - `too_few_points`: the series is too short for a trend.
 */
export type GapReason = (typeof gapReasons)[number]

export interface Gap {
  /** Path of the value in the response, such as `clutchFactor.overall`. */
  readonly field: string
  readonly reason: GapReason
  /** Size of the sample and the smallest one for a value, in the unit of the value's definition. */
  readonly sample: number
  readonly minimumSample: number
}

/** A value, or the reason why there is none. */
export interface Measured {
  readonly value: number | null
  readonly sample: number
  readonly minimumSample: number
  readonly reason: GapReason | null
}

/** Empty if the field has a value. */
export const gapOf = (field: string, { minimumSample, reason, sample }: Measured): ReadonlyArray<Gap> =>
  reason === null ? [] : [{ field, reason, sample, minimumSample }]

interface Quotient {
  readonly numerator: number
  readonly denominator: number
  readonly sample: number
  readonly minimumSample: number
  readonly decimals: number
  /** False if no source has counted the statistic. */
  readonly isRecorded: boolean
  /** Maps played, with or without the statistic. */
  readonly maps: number
}

/** Null if the sample is too small. */
export const quotient = ({ decimals, denominator, isRecorded, maps, minimumSample, numerator, sample }: Quotient): Measured => {
  const without = (reason: GapReason): Measured => ({ value: null, sample, minimumSample, reason })
  if (maps === 0) return without("no_maps")
  if (!isRecorded) return without("not_recorded")
  if (sample < minimumSample || denominator <= 0) return without("below_minimum_sample")
  return { value: rounded(numerator / denominator, decimals), sample, minimumSample, reason: null }
}

export const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals
