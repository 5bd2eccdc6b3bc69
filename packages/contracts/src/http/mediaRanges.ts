/**
 * Parses `Accept` headers and determines the quality values of media types in them (RFC 9110, section 12.5.1). Has no
 * side effects. If a header exceeds the limits of this module, only the part within the limits is used; the header is
 * not rejected. The library `negotiator` is not used because it returns no quality values: of two types with equal
 * quality, it prefers the one that comes first in the header, whereas here the caller of `qualityOf` decides which one
 * to prefer.
 */

interface Range {
  readonly type: string
  readonly quality: number
}

/**
 * Maximum length of an `Accept` header in characters, and maximum number of media ranges in it. Ordinary clients stay
 * far below both.
 */
const MAX_LENGTH = 2_000
const MAX_RANGES = 50

export const rangesOf = (accept: string): ReadonlyArray<Range> => accept.slice(0, MAX_LENGTH).split(",", MAX_RANGES).map(rangeOf)

/**
 * Returns the quality value of a media type, from 0 to 1, according to the most specific media range that matches it.
 * Returns 0 if no range matches.
 */
export const qualityOf = (type: string, ranges: ReadonlyArray<Range>): number => {
  const family = `${type.slice(0, type.indexOf("/"))}/*`
  for (const covering of [type, family, "*/*"]) {
    const range = ranges.find((one) => one.type === covering)
    if (range !== undefined) return range.quality
  }
  return 0
}

const weight = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

const rangeOf = (text: string): Range => {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  if (given === undefined) return { type, quality: 1 }
  return { type, quality: weight.test(given) ? Number(given) : 0 }
}
