/** Numbers as results files write them. Undefined: not told, or not such a number. Pure. */
import type { ArchivedHalf } from "@matchpoint/domain/cs2/archive/ArchivedMatch"

/** `24-13` */
export const killsAndDeaths = (text: string): readonly [kills: number, deaths: number] | undefined => {
  const found = /^(\d{1,3})-(\d{1,3})$/.exec(text.trim())
  return found === null ? undefined : [Number(found[1]), Number(found[2])]
}

/** `117.3` */
export const decimal = (text: string): number | undefined => (/^\d{1,4}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined)

/** `90.0%` as 0.9, without what binary fractions add. */
export const share = (text: string): number | undefined => {
  const percent = decimal(text.trim().replace(/%$/, ""))
  return percent === undefined || percent > 100 || !text.includes("%") ? undefined : Number((percent / 100).toFixed(6))
}

/** `13`; `-` is nothing. */
export const score = (text: string): number | undefined => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined)

/**
 * `(7:5; 6:2)`, and in overtime `(9:3; 3:9) (4:1)`: all of overtime as one, which is how it is told. Which side a team played is not.
 * Undefined where it is empty or reads otherwise.
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
