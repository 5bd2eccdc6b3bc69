/** The invented franchises and players of the simulated league. The same seed always gives the same teams. No side effects. */
import { nickname, personName } from "@matchpoint/simulator/names"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { playerIdOf, slugOf } from "../../rules/archive/names.ts"
import type { Player, Team } from "../../rules/archive/rows.ts"

export const FRANCHISES = 12
export const TEAM_SIZE = 4

export interface LeaguePlayer extends Player {
  /** Log-odds that the player wins a fight against an average player. Most are between -0.3 and 0.3. */
  readonly aim: number
  /** Share of the team's time on objectives, relative to the teammates. The mean is 1. */
  readonly objective: number
  /** Chance to take part in a fight, relative to the teammates. The mean is 1. */
  readonly pace: number
}

export interface LeagueTeam extends Team {
  readonly players: ReadonlyArray<LeaguePlayer>
}

/** Between two seasons, two pairs of players change their teams. */
export const leagueTeams = (seed: number, season: number): ReadonlyArray<LeagueTeam> => {
  const rosters = teamNames.map((_, team) => Array.from({ length: TEAM_SIZE }, (_, place) => team * TEAM_SIZE + place))
  const random = new Random(childSeed(seed, season))
  for (let moves = 0; moves < TRANSFERS; moves += 1) {
    const [one, other] = random.shuffle(rosters)
    const place = random.int(0, TEAM_SIZE - 1)
    const [left, right] = [one?.[place], other?.[place]]
    if (one === undefined || other === undefined || left === undefined || right === undefined) continue
    one[place] = right
    other[place] = left
  }
  return teamNames.map(([name, shortName], team) => ({
    slug: slugOf(name),
    name,
    shortName,
    logoUrl: null,
    simulated: true,
    players: (rosters[team] ?? []).map((number) => playerOf(seed, number)),
  }))
}

const TRANSFERS = 2

const playerOf = (seed: number, number: number): LeaguePlayer => {
  const random = new Random(childSeed(seed, OFFSET + number))
  const ign = nickname(seed, OFFSET + number)
  return {
    playerId: playerIdOf(ign),
    ign,
    realName: personName(seed, OFFSET + number),
    imageUrl: null,
    simulated: true,
    aim: AIM * random.normal(),
    objective: Math.max(0.4, 1 + 0.3 * random.normal()),
    pace: Math.max(0.7, 1 + 0.1 * random.normal()),
  }
}

/** First names with lower numbers belong to other simulated people. */
const OFFSET = 1_400

/** Standard deviation of the players' aim. */
const AIM = 0.11

const teamNames: ReadonlyArray<readonly [name: string, shortName: string]> = [
  ["Alder Bay Kestrels", "ALB"],
  ["Brightport Ember", "BRI"],
  ["Cape Merrow Tide", "CAP"],
  ["Eastmoor Lancers", "EAS"],
  ["Fort Halden Wolves", "FTH"],
  ["Glasswater Vipers", "GLA"],
  ["Ironvale Union", "IRO"],
  ["Kingsreach Royals", "KIN"],
  ["Mesa Verano Suns", "MES"],
  ["Northgate Static", "NOR"],
  ["Redcliff Outlaws", "RED"],
  ["Stonefield Rams", "STO"],
]
