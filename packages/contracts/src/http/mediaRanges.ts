/**
 * Quality values of media types in `Accept` headers (RFC 9110, section 12.5.1). Only the part of a header within the
 * limits below is used. `negotiator` is not used because it returns no quality values: of two types with equal quality
 * it prefers the first, whereas here the caller of `qualityOf` decides.
 */

interface Range {
  readonly type: string
  readonly quality: number
}

/** Characters and media ranges of a header. Ordinary clients stay far below both. */
const MAX_LENGTH = 2_000
const MAX_RANGES = 50

export const rangesOf = (accept: string): ReadonlyArray<Range> => accept.slice(0, MAX_LENGTH).split(",", MAX_RANGES).map(rangeOf)

/** 0 to 1, by the most specific media range that matches; 0 if none does. */
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
