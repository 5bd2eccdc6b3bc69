/** Profiles of the invented teams and people; `team.ts` has their strengths. The same seed and number give the same ones. */
import { nickname, personName } from "@matchpoint/simulator/names"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { playerNumber, teamNumber } from "../../rules/ids.ts"
import type { SimulatedPlayer, SimulatedTeam } from "../team.ts"

export interface SeasonTeamProfile {
  readonly key: string
  readonly name: string
  readonly teamNumber: number
  readonly tag: string
  readonly region: "europe" | "americas" | "asia"
  /** Two-letter ISO 3166 code. */
  readonly countryCode: string
}

export interface SeasonPersonProfile {
  readonly key: string
  readonly nickname: string
  /** Number in the simulated world (see `world.ts`). Absent for coaches. */
  readonly playerNumber?: number
  /** For coaches only: the lineups show which team a player plays for. */
  readonly teamNumber?: number
  readonly role: "player" | "coach"
  readonly realName: string
  readonly countryCode: string
  /** YYYY-MM-DD. */
  readonly birthDate: string
  readonly primaryRole: string
}

const countries = {
  europe: ["DK", "SE", "FI", "DE", "FR", "PL", "CZ", "ES", "PT", "UA"],
  americas: ["US", "BR", "CA", "AR", "CL"],
  asia: ["CN", "MN", "KR", "AU", "IN"],
} as const

type Home = keyof typeof countries

const homes: ReadonlyArray<Home> = ["europe", "americas", "asia"]

/** Depends only on the team's number, so that regional standings can determine it without a seed. */
export const homeOf = (team: number): Home => homes[team % homes.length] ?? "europe"

export const teamProfile = (seed: number, { id, name }: SimulatedTeam): SeasonTeamProfile => {
  const number = teamNumber(id)
  const region = homeOf(number)
  return { key: id, name, teamNumber: number, tag: tagOf(name), region, countryCode: countryOf(region, childSeed(seed, TEAM + number)) }
}

/** The player's country is that of the team with a probability of one half. */
export const playerProfile = (seed: number, team: SimulatedTeam, { id, name, nickname, role }: SimulatedPlayer): SeasonPersonProfile => {
  const number = playerNumber(id)
  const person = childSeed(seed, PLAYER + number)
  return { key: id, nickname, playerNumber: number, role: "player", realName: name, primaryRole: role, ...personOf(seed, team, person) }
}

export const coachProfile = (seed: number, team: SimulatedTeam): SeasonPersonProfile => {
  const number = teamNumber(team.id)
  const person = childSeed(seed, COACH + number)
  return {
    key: `coach-${number}`,
    nickname: nickname(seed, COACH_NAMES + number),
    teamNumber: number,
    role: "coach",
    realName: personName(seed, COACH_NAMES + number),
    primaryRole: "coach",
    ...personOf(seed, team, person),
  }
}

/** Added to the seed of a profile, by kind. Far enough apart that no two profiles share a seed. */
const TEAM = 10_000_000
const PLAYER = 20_000_000
const COACH = 30_000_000

/** First generated name for coaches. Lower numbers are for players: enough for 400 teams. */
const COACH_NAMES = 2_000

const personOf = (seed: number, team: SimulatedTeam, person: number) => {
  const random = new Random(person)
  const { countryCode, region } = teamProfile(seed, team)
  const year = random.int(1995, 2007)
  return {
    countryCode: random.chance(0.5) ? countryCode : countryOf(region, childSeed(person, 1)),
    birthDate: new Date(Date.UTC(year, random.int(0, 11), random.int(1, 28))).toISOString().slice(0, 10),
  }
}

const countryOf = (region: Home, seed: number): string => {
  const [first, ...others] = countries[region]
  return new Random(seed).pick<string>([first, ...others])
}

/** Two letters of the first word and one of the second, or the first three letters of a single word. */
const tagOf = (name: string): string => {
  const [first = "", second] = name.split(" ")
  return (second === undefined ? first.slice(0, 3) : `${first.slice(0, 2)}${second.slice(0, 1)}`).toUpperCase()
}
