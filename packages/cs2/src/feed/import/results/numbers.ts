/**
 * Parses numbers as written in results files. Every function returns undefined if the value is missing or malformed. No
 * function has side effects.
 */
import type { ArchivedHalf } from "../../../rules/archive/ArchivedMatch.ts"

/** Parses kills and deaths, such as `24-13`. */
export const killsAndDeaths = (text: string): readonly [kills: number, deaths: number] | undefined => {
  const found = /^(\d{1,3})-(\d{1,3})$/.exec(text.trim())
  return found === null ? undefined : [Number(found[1]), Number(found[2])]
}

/** Parses a decimal number, such as `117.3`. */
export const decimal = (text: string): number | undefined => (/^\d{1,4}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined)

/**
 * Parses a percentage as a fraction, such as `90.0%` as 0.9. The fraction is rounded to six digits to remove binary
 * rounding errors.
 */
export const share = (text: string): number | undefined => {
  const percent = decimal(text.trim().replace(/%$/, ""))
  return percent === undefined || percent > 100 || !text.includes("%") ? undefined : Number((percent / 100).toFixed(6))
}

/** Parses a score, such as `13`. Returns undefined for `-`. */
export const score = (text: string): number | undefined => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined)

/**
 * Parses the scores of the halves, such as `(7:5; 6:2)` or, with overtime, `(9:3; 3:9) (4:1)`. As in the results file,
 * a single entry contains the combined score of all overtimes.
 */
export const halves = (text: string): ReadonlyArray<ArchivedHalf> | undefined => {
  const groups = [...text.matchAll(/\(([^()]*)\)/g)].map((group) => group[1] ?? "")
  if (groups.length === 0) return undefined
  const found: Array<ArchivedHalf> = []
  for (const [group, part] of groups.entries()) {
    for (const half of part.split(";")) {
      const rounds = /^\s*(\d{1,2}):(\d{1,2})\s*$/.exec(half)
      if (rounds === null) return undefined
      found.push({ number: found.length + 1, team1Side: null, team1: Number(rounds[1]), team2: Number(rounds[2]), overtime: group > 0 })
    }
  }
  return found
}
