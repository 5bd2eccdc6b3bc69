/** The invented maps of the simulated league, and the order of modes in a match. No side effects. */
import type { Random } from "@matchpoint/simulator/random"
import type { GameMode } from "../../rules/archive/modes.ts"

export const BEST_OF = 5

export const modeOrder = ["hardpoint", "snd", "control", "hardpoint", "snd"] as const satisfies ReadonlyArray<GameMode>

type LeagueMode = (typeof modeOrder)[number]

const pools: Readonly<Record<LeagueMode, readonly [string, ...ReadonlyArray<string>]>> = {
  hardpoint: ["Quarry", "Harbor", "Depot", "Skyline", "Refinery"],
  snd: ["Harbor", "Quarry", "Foundry", "Terminal", "Depot"],
  control: ["Depot", "Skyline", "Lagoon"],
}

export interface ChosenMap {
  readonly mapName: string
  readonly mode: LeagueMode
  /** The sides take turns. */
  readonly pickedBy: 0 | 1
}

/** A map is not played twice in the same mode. Each side prefers the first maps of its list. */
export const chooseMaps = (random: Random, favorites: readonly [number, number]): ReadonlyArray<ChosenMap> => {
  const taken = new Set<string>()
  return modeOrder.map((mode, index) => {
    const pickedBy = index % 2 === 0 ? 0 : 1
    const left = pools[mode].filter((name) => !taken.has(`${mode} ${name}`))
    const favorite = left[favorites[pickedBy] % left.length]
    const mapName = favorite !== undefined && random.chance(0.5) ? favorite : (left[random.int(0, left.length - 1)] ?? pools[mode][0])
    taken.add(`${mode} ${mapName}`)
    return { mapName, mode, pickedBy }
  })
}
