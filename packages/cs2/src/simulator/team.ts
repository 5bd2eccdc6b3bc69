/** Invented teams and players with their strengths. The same seed and number give the same team in every match. */
import { nickname, personName, teamName } from "@matchpoint/simulator/names"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { Array as Arr } from "effect"
import { type PlayerId, playerId, type TeamId, teamId } from "../rules/ids.ts"
import { activePool, type MapName } from "./mapPool.ts"

export type Role = "awper" | "entry" | "rifler" | "support" | "lurker"

export interface SimulatedPlayer {
  readonly id: PlayerId
  readonly nickname: string
  readonly name: string
  readonly role: Role
  /** Log-odds of winning a duel against an average player, without the strength of the team. */
  readonly skill: number
}

export interface SimulatedTeam {
  readonly id: TeamId
  readonly name: string
  /** Log-odds of winning a duel, added to the skill of each player. */
  readonly strength: number
  /** Stronger or weaker than usual, in the same unit as `strength`. */
  readonly maps: Readonly<Record<MapName, number>>
  readonly players: Arr.NonEmptyReadonlyArray<SimulatedPlayer>
}

const roles: Arr.NonEmptyReadonlyArray<Role> = ["awper", "entry", "rifler", "support", "lurker"]

/** The n-th team of a seed, n >= 1: `cs2-team-<n>` with the players `cs2-player-<5n-4>` to `cs2-player-<5n>`. */
export const simulatedTeam = (seed: number, n: number): SimulatedTeam => {
  const random = new Random(childSeed(childSeed(seed, TEAM_SALT), n))
  return {
    id: teamId(n),
    name: teamName(seed, n),
    strength: random.normal() * 0.07,
    maps: Object.fromEntries(activePool.map((map) => [map.name, random.normal() * 0.05])) as Record<MapName, number>,
    players: Arr.map(roles, (role, i) => {
      const number = (n - 1) * roles.length + i + 1
      return {
        id: playerId(number),
        nickname: nickname(seed, number),
        name: personName(seed, number),
        role,
        skill: roleSkill[role] + random.normal() * 0.18,
      }
    }),
  }
}

const TEAM_SALT = 0x7ea3

/** Star players get the better positions and weapons, at the expense of players in supporting roles. */
const roleSkill: Readonly<Record<Role, number>> = { awper: 0.1, entry: 0.02, rifler: 0.08, support: -0.12, lurker: 0 }
