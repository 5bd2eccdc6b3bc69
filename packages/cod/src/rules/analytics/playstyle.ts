/**
 * Playstyle of a team, compared with all teams of the period. Pure.
 *
 * Each value is a T-score (McCall 1922): `50 + 10 * (x - mean) / standard deviation` of the teams, from 0 to 100. 50 is
 * the average team, and about two thirds of all teams are between 40 and 60. The measures x:
 *
 * - `aggression`: kills and deaths per 100 points of both teams in hardpoint. One point is one second in which only one
 *   team holds the hill, so the points replace the duration, which some sources do not state.
 * - `rotationSpeed`: share of the points minus share of the kills in hardpoint. A team that is at the next hill first
 *   wins more points than its fights explain. It is an estimate: no source has positions.
 * - `mapControl`: share of the points and rounds in hardpoint and control, the mean of both modes.
 * - `slayingPower`: kills per death in all modes.
 * - `objectivePlay`: hill time per map of hardpoint, plants and defuses per map of search and destroy, and captures per
 *   map of control: the mean of their T-scores, without those that no source counts.
 */
import type { GameMode } from "../archive/modes.ts"
import { type Gap, rounded } from "./gaps.ts"

/** Sums of a team on the maps of a mode. Statistics of players count on maps with the lines of both teams. */
export interface TeamModeSums {
  readonly teamSlug: string
  readonly mode: GameMode
  readonly maps: number
  readonly wins: number
  /** Scores of the maps. */
  readonly points: number
  readonly pointsAgainst: number
  /** Scores of both teams on maps with lines. */
  readonly linePoints: number
  readonly kills: number
  readonly deaths: number
  /** Hill time in hardpoint, plants and defuses in search and destroy, captures in control; and the maps with them. */
  readonly objectives: number
  readonly objectiveMaps: number
}

export const styles = ["aggression", "rotationSpeed", "mapControl", "slayingPower", "objectivePlay"] as const
export type Style = (typeof styles)[number]

/** Maps of a team, in a mode that a measure needs. */
export const MINIMUM_MAPS = 5
/** Teams to compare with, including the team. */
export const MINIMUM_TEAMS = 4

type Modes = ReadonlyMap<GameMode, TeamModeSums>

/** Null if the team has too few maps. */
type Measure = (modes: Modes) => number | null

const enough = (sums: TeamModeSums | undefined): sums is TeamModeSums => sums !== undefined && sums.maps >= MINIMUM_MAPS
const share = (own: number, other: number): number | null => (own + other === 0 ? null : own / (own + other))
const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const objectiveRate =
  (mode: GameMode): Measure =>
  (modes) => {
    const sums = modes.get(mode)
    return sums === undefined || sums.objectiveMaps < MINIMUM_MAPS ? null : sums.objectives / sums.objectiveMaps
  }

const measures: Readonly<Record<Style, ReadonlyArray<Measure>>> = {
  aggression: [
    (modes) => {
      const sums = modes.get("hardpoint")
      return enough(sums) && sums.linePoints > 0 ? ((sums.kills + sums.deaths) / sums.linePoints) * 100 : null
    },
  ],
  rotationSpeed: [
    (modes) => {
      const sums = modes.get("hardpoint")
      if (!enough(sums)) return null
      const [points, kills] = [share(sums.points, sums.pointsAgainst), share(sums.kills, sums.deaths)]
      return points === null || kills === null ? null : points - kills
    },
  ],
  mapControl: [
    (modes) => {
      const shares = (["hardpoint", "control"] as const).flatMap((mode) => {
        const sums = modes.get(mode)
        return enough(sums) ? (share(sums.points, sums.pointsAgainst) ?? []) : []
      })
      return shares.length === 2 ? mean(shares) : null
    },
  ],
  slayingPower: [
    (modes) => {
      const all = [...modes.values()]
      const [maps, kills, deaths] = [sum(all, "maps"), sum(all, "kills"), sum(all, "deaths")]
      return maps < MINIMUM_MAPS || deaths === 0 ? null : kills / deaths
    },
  ],
  objectivePlay: (["hardpoint", "snd", "control"] as const).map(objectiveRate),
}

const sum = (all: ReadonlyArray<TeamModeSums>, field: "deaths" | "kills" | "maps"): number =>
  all.reduce((total, sums) => total + sums[field], 0)

/** T-score within the values of all teams, or undefined if too few teams have a value. */
const scoreOf = (own: number, all: ReadonlyArray<number>): number | undefined => {
  if (all.length < MINIMUM_TEAMS) return undefined
  const average = mean(all)
  const deviation = Math.sqrt(mean(all.map((value) => (value - average) ** 2)))
  return deviation === 0 ? 50 : Math.min(100, Math.max(0, 50 + (10 * (own - average)) / deviation))
}

export interface Playstyle {
  readonly playstyle: Readonly<Record<Style, number | null>>
  readonly gaps: ReadonlyArray<Gap>
}

/** `all` are the sums of all teams of the period, including the team. */
export const playstyleOf = (teamSlug: string, all: ReadonlyArray<TeamModeSums>): Playstyle => {
  const teams = new Map(
    [...Map.groupBy(all, (sums) => sums.teamSlug)].map(([slug, some]) => [slug, new Map(some.map((sums) => [sums.mode, sums]))]),
  )
  const own: Modes = teams.get(teamSlug) ?? new Map()
  const maps = sum([...own.values()], "maps")
  const gaps: Array<Gap> = []
  const score = (style: Style): number | null => {
    const known = measures[style].flatMap((measure) => {
      const value = measure(own)
      return value === null ? [] : [{ value, all: [...teams.values()].flatMap((modes) => measure(modes) ?? []) }]
    })
    const scores = known.flatMap((measured) => scoreOf(measured.value, measured.all) ?? [])
    if (scores.length > 0) return rounded(mean(scores), 1)
    const field = `playstyle.${style}`
    const isRecorded =
      style === "objectivePlay" ? [...own.values()].some((sums) => sums.objectiveMaps > 0) : sum([...own.values()], "kills") > 0
    if (maps === 0) gaps.push({ field, reason: "no_maps", sample: 0, minimumSample: MINIMUM_MAPS })
    else if (known.length > 0)
      gaps.push({ field, reason: "too_few_teams", sample: known[0]?.all.length ?? 0, minimumSample: MINIMUM_TEAMS })
    else gaps.push({ field, reason: isRecorded ? "below_minimum_sample" : "not_recorded", sample: maps, minimumSample: MINIMUM_MAPS })
    return null
  }
  const [aggression, rotationSpeed, mapControl, slayingPower, objectivePlay] = [
    score("aggression"),
    score("rotationSpeed"),
    score("mapControl"),
    score("slayingPower"),
    score("objectivePlay"),
  ]
  return { playstyle: { aggression, rotationSpeed, mapControl, slayingPower, objectivePlay }, gaps }
}
