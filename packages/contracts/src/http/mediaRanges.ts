/** How well an `Accept` header takes a media type (RFC 9110, 12.5.1). Pure; headers that nobody could mean are cut, not refused. */

interface Range {
  readonly type: string
  readonly quality: number
}

/** Longer headers and lists than any client sends. */
const MAX_LENGTH = 2_000
const MAX_RANGES = 50

export const rangesOf = (accept: string): ReadonlyArray<Range> => accept.slice(0, MAX_LENGTH).split(",", MAX_RANGES).map(rangeOf)

/** 0..1. The most exact range that covers the type decides; without one it is not taken. */
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
