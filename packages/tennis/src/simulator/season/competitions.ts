/** Invented competitions, each once a year in its fortnight. Every name ends with "(simulated)". Pure. */
import type { Tour } from "../../rules/archive/archiveRows.ts"
import type { DrawShape } from "./draw.ts"

export type Surface = "Hard" | "Clay" | "Grass"

/** `grand` is like a Grand Slam, `major` like a Masters 1000, `regular` is every other. */
export type Rank = "grand" | "major" | "regular"

export interface Competition {
  readonly code: number
  readonly name: string
  readonly rank: Rank
  /** Level as the archive states it, such as `G` or `PM`. */
  readonly level: string
  readonly surface: Surface
  readonly bestOf: 3 | 5
  readonly shape: DrawShape
  /** Days of each round in order, counted from the first day of the tournament. */
  readonly days: ReadonlyArray<ReadonlyArray<number>>
}

/** No competition of the archive has a code of five digits. */
const FIRST_CODE = 99_001

/** City, rank and surface by fortnight of the year. The last one begins on the last days of some years. */
const fortnights: ReadonlyArray<readonly [city: string, rank: Rank, surface: Surface]> = [
  ["Sunharbor", "regular", "Hard"],
  ["Coral Coast", "grand", "Hard"],
  ["Nordfjell", "regular", "Hard"],
  ["Brightport", "regular", "Hard"],
  ["Palm Mesa", "major", "Hard"],
  ["Westhaven", "major", "Hard"],
  ["Castelmar", "regular", "Clay"],
  ["Rocca Alta", "major", "Clay"],
  ["Villa Serena", "major", "Clay"],
  ["Lindental", "regular", "Clay"],
  ["Bois Rouge", "grand", "Clay"],
  ["Heathmoor", "regular", "Grass"],
  ["Elmsworth", "regular", "Grass"],
  ["Greenlawn", "grand", "Grass"],
  ["Alpsee", "regular", "Clay"],
  ["Maple Bay", "major", "Hard"],
  ["Riverbend", "major", "Hard"],
  ["Harbor City", "grand", "Hard"],
  ["Stonefield", "regular", "Hard"],
  ["Jade Lake", "regular", "Hard"],
  ["Lantern Bay", "major", "Hard"],
  ["Halvgard", "regular", "Hard"],
  ["Quai Nord", "major", "Hard"],
  ["Turmberg", "regular", "Hard"],
  ["Isla Blanca", "regular", "Hard"],
  ["Cape Merrow", "regular", "Hard"],
  ["New Year Harbor", "regular", "Hard"],
]

/** `fortnight` is that of the year, 0 to 26. */
export const competitionOf = (tour: Tour, fortnight: number): Competition => {
  const [city, rank, surface] = fortnights[fortnight] ?? fortnights[0] ?? ["Sunharbor", "regular", "Hard"]
  return {
    code: FIRST_CODE + fortnight,
    name: `${city} ${titles[rank]} (simulated)`,
    rank,
    level: levelOf(tour, rank, fortnight),
    surface,
    bestOf: tour === "atp" && rank === "grand" ? 5 : 3,
    shape: shapeOf(rank, fortnight),
    days: days[rank],
  }
}

const titles: Readonly<Record<Rank, string>> = { grand: "Championships", major: "Masters", regular: "Open" }

const levelOf = (tour: Tour, rank: Rank, fortnight: number): string => {
  if (rank === "grand") return "G"
  if (rank === "major") return tour === "atp" ? "M" : "PM"
  if (tour === "atp") return "A"
  return fortnight % 2 === 0 ? "P" : "I"
}

const shapeOf = (rank: Rank, fortnight: number): DrawShape => {
  switch (rank) {
    case "grand":
      return { size: 64, seeds: 16, byes: 0, qualifiers: 8, wildCards: 4 }
    case "major":
      return { size: 64, seeds: 16, byes: 8, qualifiers: 6, wildCards: 3 }
    case "regular":
      return { size: 32, seeds: 8, byes: fortnight % 3 === 0 ? 4 : 0, qualifiers: 4, wildCards: 3 }
  }
}

const days: Readonly<Record<Rank, ReadonlyArray<ReadonlyArray<number>>>> = {
  grand: [[0, 1, 2], [3, 4, 5], [7, 8], [9, 10], [11], [13]],
  major: [[0, 1], [2, 3], [5], [7], [9], [10]],
  regular: [[0, 1], [2, 3], [4], [5], [6]],
}
