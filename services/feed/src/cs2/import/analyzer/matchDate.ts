/**
 * When an analyzed match was played. The file's own date is often taken out; then its name may tell: a time
 * (`…_202312171749_…`), or a year (`…_2025_…`). Pure.
 */

export interface MatchDate {
  /** Epoch ms. */
  readonly at: number
  /** What it is taken from, best first. `game`: nothing tells, but CS2 is not older than that. */
  readonly from: "file" | "name" | "year" | "game"
}

/** The release of CS2, 27 September 2023: no match of it is older. */
const RELEASE = Date.UTC(2023, 8, 27)

/** Undefined: not known at all. `isCs2`: else CS:GO. */
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
    // Of the year in which the game came out, only what is left of it can be meant.
    return { at: Math.max(first, earliest), from: "year" }
  }
  return isCs2 ? { at: RELEASE, from: "game" } : undefined
}

/** `yyyyMMddHHmm`, whatever follows; read as UTC. */
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
