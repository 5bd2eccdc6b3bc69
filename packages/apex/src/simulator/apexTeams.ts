/** The invented teams and players of the simulated circuit. The same seed always gives the same teams. No side effects. */
import { nickname, teamName } from "@matchpoint/simulator/names"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { MOST_TEAMS, TEAM_SIZE } from "../rules/archive/points.ts"
import { type Region, regions } from "../rules/archive/series.ts"

export type LeagueRegion = Exclude<Region, "global">

export const leagueRegions: ReadonlyArray<LeagueRegion> = regions.filter((region) => region !== "global")

export const roles = ["in-game leader", "fragger", "anchor"] as const

export interface ApexSquadPlayer {
  readonly id: string
  readonly name: string
  readonly role: string
  /** Log-odds that the player wins a fight against an average player. Most are between -0.4 and 0.4. */
  readonly aim: number
}

export interface ApexSquad {
  readonly id: string
  readonly name: string
  readonly region: LeagueRegion
  /** How well the team finds safe places, on the scale of `aim`. */
  readonly sense: number
  readonly players: ReadonlyArray<ApexSquadPlayer>
}

export const apexTeams = (seed: number, region: LeagueRegion): ReadonlyArray<ApexSquad> => {
  const first = leagueRegions.indexOf(region) * MOST_TEAMS
  return Array.from({ length: MOST_TEAMS }, (_, index) => squadOf(seed, region, first + index + 1))
}

/** Sense of the squad and the mean aim of its players. */
export const strengthOf = ({ players, sense }: ApexSquad): number => sense + players.reduce((sum, { aim }) => sum + aim, 0) / players.length

/** First names that no other game uses. Names have no number as long as the lists are not used up. */
const [TEAMS, PLAYERS] = [1_200, 2_000] as const
const SPREAD = 0.25

const squadOf = (seed: number, region: LeagueRegion, number: number): ApexSquad => {
  const random = new Random(childSeed(seed, TEAMS + number))
  // The first word of a team's name is unique.
  const [word = ""] = teamName(seed, TEAMS + number).split(" ")
  return {
    id: `sim-${word.toLowerCase()}`,
    name: word,
    region,
    sense: SPREAD * random.normal(),
    players: roles.map((role, place) => {
      const name = nickname(seed, PLAYERS + number * TEAM_SIZE + place)
      return { id: `sim-${name.toLowerCase()}`, name, role, aim: SPREAD * random.normal() }
    }),
  }
}
