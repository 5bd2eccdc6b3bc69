/** An endless sequence of live matches of the simulated league: schedule, maps and seeds, not when they are played. */
import { childSeed, Random } from "@matchpoint/simulator/random"
import { tournamentIdOf } from "../../rules/archive/names.ts"
import { PlayerId, TeamSlug, TournamentId } from "../../rules/live/registry.ts"
import { FRANCHISES, type LeagueTeam, leagueTeams } from "../season/leagueTeams.ts"
import { BEST_OF, chooseMaps } from "../season/mapPool.ts"
import type { MatchOptions, SimulatedTeam } from "./simulateMatch.ts"

export type ScheduledMatch = Omit<MatchOptions, "matchId">

/** Matches that can run at the same time. */
export const MOST_MATCHES = FRANCHISES / 2

/** Matches per round of the schedule. No team plays twice in a round. */
const ROUND = MOST_MATCHES

/** The n-th match of a world, n >= 1. `season` is the year in which the season ends. */
export const scheduledMatch = (seed: number, n: number, season: number): ScheduledMatch => {
  const place = (n - 1) % ROUND
  const round = Math.floor((n - 1) / ROUND)
  const teams = new Random(childSeed(seed, ORDERS + round)).shuffle(leagueTeams(seed, season))
  const [one, two] = [teams[2 * place], teams[2 * place + 1]]
  if (one === undefined || two === undefined) throw new Error("the league has too few teams")
  const own = childSeed(seed, MATCHES + n)
  const random = new Random(childSeed(own, MAPS))
  const name = `Daylight Invitational ${season} (simulated)`
  return {
    seed: own,
    tournament: {
      id: TournamentId.make(tournamentIdOf(season, "simulated Daylight Invitational")),
      name,
      round: `Round ${round + 1}`,
      isLan: false,
    },
    bestOf: BEST_OF,
    teams: [simulatedTeam(one), simulatedTeam(two)],
    maps: chooseMaps(random, [random.int(0, 4), random.int(0, 4)]),
  }
}

const [ORDERS, MATCHES, MAPS] = [0x6d_0000, 0x7e_0000, 0x11] as const

/** Team as it enters a match. */
export const simulatedTeam = ({ name, players, slug }: LeagueTeam): SimulatedTeam => ({
  slug: TeamSlug.make(slug),
  name,
  players: players.map(({ aim, ign, objective, pace, playerId }) => ({ id: PlayerId.make(playerId), ign, aim, objective, pace })),
})
