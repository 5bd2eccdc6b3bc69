/** The invented players of the simulated tours. The same seed and number always give the same player. No side effects. */
import { personName } from "@matchpoint/simulator/names"
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { FIRST_SIMULATED_PLAYER } from "../../rules/archive/simulated.ts"
import type { Surface } from "./competitions.ts"

export const PLAYERS = 100

export interface TourPlayer {
  /** Number in the player id: `atp_<number>` or `wta_<number>`. */
  readonly number: number
  readonly tour: Tour
  readonly firstName: string
  readonly lastName: string
  readonly hand: "R" | "L"
  readonly heightCm: number
  /** Code of the International Olympic Committee. */
  readonly country: string
  /** YYYY-MM-DD. */
  readonly birthDate: string
  /** Added to the probability of winning a point on serve. */
  readonly serve: number
  /** Subtracted from the opponent's probability of winning a point on serve. */
  readonly return: number
  /** Factor of the rate of aces. */
  readonly aceFactor: number
  /** Added to `serve` and `return` on each surface. */
  readonly surfaces: Readonly<Record<Surface, number>>
}

/** Their order does not depend on their strength. */
export const tourPlayers = (seed: number, tour: Tour): ReadonlyArray<TourPlayer> =>
  Array.from({ length: PLAYERS }, (_, index) => playerOf(seed, tour, index))

const playerOf = (seed: number, tour: Tour, index: number): TourPlayer => {
  // The ATP has the first names of the list of family names, the WTA those behind them. So last names are unique.
  const name = index + 1 + (tour === "atp" ? 0 : PLAYERS)
  const random = new Random(childSeed(seed, OFFSET + name))
  const [given = "", family = ""] = personName(seed, OFFSET + name).split(" ")
  const [mean, deviation] = tour === "atp" ? [187, 7] : [175, 6]
  const heightCm = Math.round(mean + deviation * random.normal())
  const level = SPREAD * random.normal()
  // Tall players serve better and return worse.
  const style = STYLE * random.normal() + 0.0008 * (heightCm - mean)
  return {
    number: FIRST_SIMULATED_PLAYER + index,
    tour,
    firstName: tour === "atp" ? given : random.pick(givenNames),
    lastName: family,
    hand: random.chance(0.13) ? "L" : "R",
    heightCm,
    country: random.pick(countries),
    birthDate: new Date(Date.UTC(random.int(1990, 2006), random.int(0, 11), random.int(1, 28))).toISOString().slice(0, 10),
    serve: level + style,
    return: level - style,
    aceFactor: Math.min(2.2, Math.max(0.3, 1 + 25 * style)),
    surfaces: { Hard: SURFACE * random.normal(), Clay: SURFACE * random.normal(), Grass: SURFACE * random.normal() },
  }
}

/** First names with lower numbers belong to other simulated people. */
const OFFSET = 900

/** Standard deviations of the strengths, as probabilities of a point. */
const SPREAD = 0.017
const STYLE = 0.012
const SURFACE = 0.007

const countries = [
  "USA",
  "ESP",
  "FRA",
  "ITA",
  "GER",
  "GBR",
  "AUS",
  "ARG",
  "SRB",
  "CRO",
  "CZE",
  "POL",
  "SUI",
  "CAN",
  "JPN",
  "CHN",
  "BRA",
  "NED",
  "BEL",
  "ROU",
  "GRE",
  "KAZ",
] as const

// biome-ignore format: a word list
const givenNames = [
  "Ada", "Alma", "Anja", "Bianca", "Carla", "Daria", "Elena", "Emma", "Fiona", "Greta", "Hana", "Ines", "Ivana", "Julia", "Karin", "Lara",
  "Lena", "Maja", "Marta", "Mila", "Nadia", "Nora", "Olga", "Paula", "Petra", "Rosa", "Sara", "Sofia", "Tessa", "Vera", "Yara", "Zoe",
] as const
