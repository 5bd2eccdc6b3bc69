/** Maps and modes that a team prefers. Pure. */
import type { GameMode } from "../archive/modes.ts"
import { MINIMUM_MAPS } from "./playstyle.ts"

export interface TeamMapSums {
  readonly teamSlug: string
  readonly mapName: string
  readonly mode: GameMode
  readonly maps: number
  readonly wins: number
  /** How often the team chose the map in the veto. */
  readonly picks: number
}

export interface Tendencies {
  /** Up to three names of maps, the most preferred first. */
  readonly preferredMaps: ReadonlyArray<string>
  /** Basis of `preferredMaps`: picks of the veto, or maps played if no pick is known. */
  readonly preferredBy: "picks" | "played"
  /** Modes with the highest and the lowest share of maps won. Null if fewer than two modes have enough maps. */
  readonly strongestMode: GameMode | null
  readonly weakestMode: GameMode | null
}

const PREFERRED = 3

/** All records are those of the team. */
export const tendenciesOf = (records: ReadonlyArray<TeamMapSums>): Tendencies => {
  const preferredBy = records.some(({ picks }) => picks > 0) ? "picks" : "played"
  const counts = [...Map.groupBy(records, ({ mapName }) => mapName)].map(([mapName, some]) => ({
    mapName,
    picks: some.reduce((total, { picks }) => total + picks, 0),
    played: some.reduce((total, { maps }) => total + maps, 0),
  }))
  const preferredMaps = counts
    .filter((count) => count[preferredBy] > 0)
    .sort((one, other) => other[preferredBy] - one[preferredBy] || other.played - one.played || (one.mapName < other.mapName ? -1 : 1))
    .slice(0, PREFERRED)
    .map(({ mapName }) => mapName)
  const modes = [...Map.groupBy(records, ({ mode }) => mode)]
    .map(([mode, some]) => {
      const maps = some.reduce((total, record) => total + record.maps, 0)
      return { mode, maps, share: some.reduce((total, { wins }) => total + wins, 0) / Math.max(1, maps) }
    })
    .filter(({ maps }) => maps >= MINIMUM_MAPS)
    .sort((one, other) => other.share - one.share || other.maps - one.maps || (one.mode < other.mode ? -1 : 1))
  const [strongest, weakest] = modes.length < 2 ? [undefined, undefined] : [modes[0], modes.at(-1)]
  return { preferredMaps, preferredBy, strongestMode: strongest?.mode ?? null, weakestMode: weakest?.mode ?? null }
}
