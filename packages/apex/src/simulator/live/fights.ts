/** Simulates single fights between two teams of a game. No side effects apart from the random numbers that it takes. */
import type { Random } from "@matchpoint/simulator/random"
import { TEAM_SIZE } from "../../rules/archive/points.ts"
import type { PlayerRef } from "../../rules/live/lobby.ts"
import { type Game, type PlayerLine, placesOf } from "../../rules/live/state.ts"
import type { ApexSquad } from "../apexTeams.ts"

/** Teams that are still in the game. */
export const teamsIn = ({ teams }: Game): ReadonlyArray<number> =>
  teams.flatMap(({ placement }, index) => (placement === null ? [index + 1] : []))

export const playersIn = ({ players }: Game, team: number, state: PlayerLine["state"]): ReadonlyArray<PlayerRef> => {
  const [first] = placesOf(team)
  return Array.from({ length: TEAM_SIZE }, (_, place) => ({ team, player: place + 1 })).filter(
    (_, place) => players[first + place]?.state === state,
  )
}

/** The stronger team is more often first. Undefined if fewer than two are left. */
export const nextFight = (random: Random, squads: ReadonlyArray<ApexSquad>, game: Game): readonly [number, number] | undefined => {
  const [one, other] = random.shuffle(teamsIn(game))
  if (one === undefined || other === undefined) return undefined
  const edge = fightStrength(squads, game, one) - fightStrength(squads, game, other)
  return random.chance(1 / (1 + Math.exp(-1.6 * edge))) ? [one, other] : [other, one]
}

const fightStrength = (squads: ReadonlyArray<ApexSquad>, game: Game, team: number): number => {
  const squad = squads[team - 1]
  if (squad === undefined) return 0
  const standing = playersIn(game, team, "alive")
  return squad.sense + standing.reduce((sum, { player }) => sum + 0.5 + (squad.players[player - 1]?.aim ?? 0), 0)
}

/** Players with better aim are returned more often. */
export const marksman = (random: Random, squads: ReadonlyArray<ApexSquad>, players: ReadonlyArray<PlayerRef>): PlayerRef | undefined =>
  random.weighted(players, ({ player, team }) => Math.exp(squads[team - 1]?.players[player - 1]?.aim ?? 0))
