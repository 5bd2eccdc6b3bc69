/** Parses numbers as written in results files. Undefined if the value is missing or malformed. */
import type { ArchivedHalf } from "../../../rules/archive/ArchivedMatch.ts"

/** Parses kills and deaths, such as `24-13`. */
export const killsAndDeaths = (text: string): readonly [kills: number, deaths: number] | undefined => {
  const found = /^(\d{1,3})-(\d{1,3})$/.exec(text.trim())
  return found === null ? undefined : [Number(found[1]), Number(found[2])]
}

/** Parses a number such as `117.3`. */
export const decimal = (text: string): number | undefined => (/^\d{1,4}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined)

/** `90.0%` becomes 0.9, rounded to six digits to remove binary rounding errors. */
export const share = (text: string): number | undefined => {
  const percent = decimal(text.trim().replace(/%$/, ""))
  return percent === undefined || percent > 100 || !text.includes("%") ? undefined : Number((percent / 100).toFixed(6))
}

/** Parses a score such as `13`. Undefined for `-`. */
export const score = (text: string): number | undefined => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined)

/** Parses `(7:5; 6:2)` or `(9:3; 3:9) (4:1)`: as in the file, one entry has the combined score of all overtimes. */
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
