/**
 * Date of an analyzed match. The date in the file is often missing. It is then taken from the file name, which may
 * contain a time (`…_202312171749_…`) or a year (`…_2025_…`).
 */

export interface MatchDate {
  /** Epoch milliseconds. */
  readonly at: number
  /** Most precise first. `game`: only the game is known to be CS2, so the match is not older than its release. */
  readonly from: "file" | "name" | "year" | "game"
}

/** CS2 was released on 27 September 2023. No CS2 match is older. */
const RELEASE = Date.UTC(2023, 8, 27)

/** Undefined if unknown. `date` is in the file, `name` is the file name. If not `isCs2`, the match was played in CS:GO. */
export const matchDate = (date: string, name: string, isCs2: boolean): MatchDate | undefined => {
  const own = Date.parse(date)
  if (!Number.isNaN(own) && own > 0) return { at: own, from: "file" }
  const earliest = isCs2 ? RELEASE : 0
  for (const digits of name.match(/(?<![0-9A-Za-z])20[0-9]{10,}(?![0-9A-Za-z])/g) ?? []) {
    const at = timeOf(digits)
    if (at !== undefined && at >= earliest) return { at, from: "name" }
  }
  const year = /(?<![0-9A-Za-z])(20[0-9]{2})(?![0-9A-Za-z])/.exec(name)?.[1]
  if (year !== undefined) {
    const first = Date.UTC(Number(year), 0, 1)
    // If the year is that of the CS2 release, the match cannot be earlier than the release date.
    return { at: Math.max(first, earliest), from: "year" }
  }
  return isCs2 ? { at: RELEASE, from: "game" } : undefined
}

/** `yyyyMMddHHmm` as UTC. Further digits are ignored. */
const timeOf = (digits: string): number | undefined => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = [
    digits.slice(0, 4),
    digits.slice(4, 6),
    digits.slice(6, 8),
    digits.slice(8, 10),
    digits.slice(10, 12),
  ].map(Number)
  const isTime = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60
  return isTime ? Date.UTC(year, month - 1, day, hour, minute) : undefined
}
