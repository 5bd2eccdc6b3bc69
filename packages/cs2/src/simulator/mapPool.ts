/** The pool of maps that are currently played, and the veto. The pool changes about once a year. */
import type { Random } from "@matchpoint/simulator/random"
import { otherTeam, type TeamIndex } from "../rules/live/rules.ts"

export type MapName = "de_ancient" | "de_dust2" | "de_inferno" | "de_mirage" | "de_nuke" | "de_overpass" | "de_train"

export interface PoolMap {
  readonly name: MapName
  /** Extra advantage of the defenders before the bomb is planted, as log-odds of winning a duel. */
  readonly ctEdge: number
}

export const activePool: ReadonlyArray<PoolMap> = [
  { name: "de_ancient", ctEdge: 0.02 },
  { name: "de_dust2", ctEdge: -0.05 },
  { name: "de_inferno", ctEdge: -0.01 },
  { name: "de_mirage", ctEdge: 0 },
  { name: "de_nuke", ctEdge: 0.07 },
  { name: "de_overpass", ctEdge: 0.03 },
  { name: "de_train", ctEdge: 0.04 },
]

export type BestOf = 1 | 3 | 5

export interface PickedMap {
  readonly map: PoolMap
  /** `null` for the decider. */
  readonly pickedBy: TeamIndex | null
}

/** Order as at big tournaments. If one map remains after the last turn, it is the decider and is played last. */
const turns: Readonly<Record<BestOf, ReadonlyArray<readonly [TeamIndex, "ban" | "pick"]>>> = {
  1: [
    [0, "ban"],
    [0, "ban"],
    [1, "ban"],
    [1, "ban"],
    [1, "ban"],
    [0, "ban"],
  ],
  3: [
    [0, "ban"],
    [1, "ban"],
    [0, "pick"],
    [1, "pick"],
    [0, "ban"],
    [1, "ban"],
  ],
  5: [
    [0, "ban"],
    [1, "ban"],
    [0, "pick"],
    [1, "pick"],
    [0, "pick"],
    [1, "pick"],
  ],
}

export interface VetoStep {
  readonly action: "ban" | "pick" | "decider"
  /** `null` for the decider. */
  readonly team: TeamIndex | null
  readonly map: MapName
}

/** `maps` are in playing order. `steps` are the bans and picks that selected them. */
export interface Veto {
  readonly maps: ReadonlyArray<PickedMap>
  readonly steps: ReadonlyArray<VetoStep>
}

interface TeamOnMaps {
  /** How much each map raises or lowers the team's strength, as log-odds of winning a duel. */
  readonly maps: Readonly<Record<MapName, number>>
}

/** Each team bans maps that favor its opponent and picks maps that favor itself, with some errors of judgment. */
export const veto = (random: Random, teams: readonly [TeamOnMaps, TeamOnMaps], bestOf: BestOf): Veto => {
  let left = activePool
  const picked: Array<PickedMap> = []
  const steps: Array<VetoStep> = []
  for (const [team, turn] of turns[bestOf]) {
    const liking = (map: PoolMap) => teams[team].maps[map.name] - teams[otherTeam(team)].maps[map.name] + random.normal() * MISJUDGEMENT
    const ranked = left.map((map) => ({ map, liking: liking(map) })).sort((one, two) => two.liking - one.liking)
    const chosen = (turn === "pick" ? ranked[0] : ranked[ranked.length - 1])?.map
    if (chosen === undefined) break
    left = left.filter((map) => map !== chosen)
    steps.push({ action: turn, team, map: chosen.name })
    if (turn === "pick") picked.push({ map: chosen, pickedBy: team })
  }
  const [decider] = left
  if (decider === undefined) return { maps: picked, steps }
  return {
    maps: [...picked, { map: decider, pickedBy: null }],
    steps: [...steps, { action: "decider", team: null, map: decider.name }],
  }
}

const MISJUDGEMENT = 0.05
