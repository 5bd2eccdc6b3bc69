/** Determines which data of a live match is available, and lists the fields that no source reported. */
import type { Coverage, UnavailableReason } from "../../contract/http/liveModels.ts"
import type { LiveMatch } from "../../contract/LiveMatch.ts"

export interface Availability {
  readonly dataAvailable: boolean
  readonly unavailableReason: UnavailableReason | null
}

const available: Availability = { dataAvailable: true, unavailableReason: null }

export const availabilityOf = ({ source, game, players }: Pick<LiveMatch, "source" | "game" | "players">): Availability => {
  if (source === "live_backup") return { dataAvailable: false, unavailableReason: "backup_feed" }
  return game === null || players.length === 0 ? { dataAvailable: false, unavailableReason: "not_yet_indexed" } : available
}

export const coverageOf = ({ source }: Pick<LiveMatch, "source">): Coverage => (source === "live" ? "realtime" : "score_only")

/**
 * True if null is a meaningful value of the field, such as the winner of a map that is still in play. False if null
 * means that no source reported the value.
 */
export type IsLegitimateNull = (path: string, holder: Readonly<Record<string, unknown>>) => boolean

/** Paths of fields that no source reported, sorted and without array indexes, e.g. `players.money`. */
export const unavailableIn = (answer: object, natural: IsLegitimateNull): ReadonlyArray<string> => {
  const paths = new Set<string>()
  collect(answer, "", natural, paths)
  return [...paths].sort()
}

const collect = (value: object, path: string, natural: IsLegitimateNull, paths: Set<string>): void => {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && item !== null) collect(item, path, natural, paths)
    return
  }
  for (const [key, part] of Object.entries(value)) {
    if (part === null) {
      const at = path === "" ? key : `${path}.${key}`
      if (!natural(at, value as Readonly<Record<string, unknown>>)) paths.add(at)
    } else if (typeof part === "object") collect(part, path === "" ? key : `${path}.${key}`, natural, paths)
  }
}
