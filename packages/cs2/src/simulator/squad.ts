/** The five players of a team on a map, and their shared state: side, loss bonus and timeouts. */
import type { Random } from "@matchpoint/simulator/random"
import type { Array as Arr } from "effect"
import type { TeamId } from "../rules/ids.ts"
import type { Side, TeamIndex } from "../rules/live/rules.ts"
import type { Fighter } from "./fighter.ts"

export class Squad {
  readonly team: TeamIndex
  readonly id: TeamId
  readonly fighters: Arr.NonEmptyReadonlyArray<Fighter>
  side: Side = "CT"
  /** Level of the loss bonus. */
  losses = 1
  timeouts: number

  constructor(team: TeamIndex, id: TeamId, fighters: Arr.NonEmptyReadonlyArray<Fighter>, timeouts: number) {
    this.team = team
    this.id = id
    this.fighters = fighters
    this.timeouts = timeouts
  }

  get living(): number {
    let count = 0
    for (const fighter of this.fighters) if (fighter.alive) count += 1
    return count
  }

  /** A random living player, in proportion to the weights. Undefined if no living player has a weight above zero. */
  choose(random: Random, weight: (fighter: Fighter) => number): Fighter | undefined {
    let total = 0
    for (const fighter of this.fighters) if (fighter.alive) total += weight(fighter)
    let left = random.next() * total
    let chosen: Fighter | undefined
    for (const fighter of this.fighters) {
      if (!fighter.alive || weight(fighter) <= 0) continue
      chosen = fighter
      left -= weight(fighter)
      if (left < 0) break
    }
    return chosen
  }
}
