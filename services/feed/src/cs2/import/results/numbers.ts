/**
 * Parses numbers as written in results files. Every function returns undefined if the value is missing or malformed.
 * Pure.
 */
import type { ArchivedHalf } from "@matchpoint/domain/cs2/archive/ArchivedMatch"

/** Parses `24-13`. */
export const killsAndDeaths = (text: string): readonly [kills: number, deaths: number] | undefined => {
  const found = /^(\d{1,3})-(\d{1,3})$/.exec(text.trim())
  return found === null ? undefined : [Number(found[1]), Number(found[2])]
}

/** Parses `117.3`. */
export const decimal = (text: string): number | undefined => (/^\d{1,4}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined)

/** Parses `90.0%` to 0.9, without rounding errors of binary fractions. */
export const share = (text: string): number | undefined => {
  const percent = decimal(text.trim().replace(/%$/, ""))
  return percent === undefined || percent > 100 || !text.includes("%") ? undefined : Number((percent / 100).toFixed(6))
}

/** Parses `13`. Returns undefined for `-`. */
export const score = (text: string): number | undefined => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined)

/**
 * Parses the scores of halves: `(7:5; 6:2)`, with overtime `(9:3; 3:9) (4:1)`. All overtimes are one entry, as in the
 * source. The sides are unknown. Returns undefined if the text is empty or has another format.
 */
export const halves = (text: string): ReadonlyArray<ArchivedHalf> | undefined => {
  const told = [...text.matchAll(/\(([^()]*)\)/g)].map((group) => group[1] ?? "")
  if (told.length === 0) return undefined
  const found: Array<ArchivedHalf> = []
  for (const [group, part] of told.entries()) {
    for (const half of part.split(";")) {
      const rounds = /^\s*(\d{1,2}):(\d{1,2})\s*$/.exec(half)
      if (rounds === null) return undefined
      found.push({ number: found.length + 1, team1Side: null, team1: Number(rounds[1]), team2: Number(rounds[2]), overtime: group > 0 })
    }
  }
  return found
}
