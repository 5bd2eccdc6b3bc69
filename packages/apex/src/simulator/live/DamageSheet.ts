/** Damage of all players since the start of a game, for a report. No side effects other than on itself. */
import type { FeedEventOf } from "../../rules/live/feedEvents.ts"
import { indexOf, type PlayerRef } from "../../rules/live/lobby.ts"
import type { ApexSquad } from "../apexTeams.ts"

type Totals = FeedEventOf<"DamageReported">["payload"]["totals"]
type Field = "damage" | "damageTaken" | "ringDamage"

export class DamageSheet {
  readonly #lines: ReadonlyMap<number, { player: PlayerRef } & { [field in Field]: number }>

  constructor(squads: ReadonlyArray<ApexSquad>) {
    const players = squads.flatMap((squad, team) => squad.players.map((_, place) => ({ team: team + 1, player: place + 1 })))
    this.#lines = new Map(players.map((player) => [indexOf(player), { player, damage: 0, damageTaken: 0, ringDamage: 0 }]))
  }

  addFight(attacker: PlayerRef, victim: PlayerRef, damage: number): void {
    this.#add(attacker, "damage", damage)
    this.#add(victim, "damageTaken", damage)
  }

  /** Damage outside of the ring is part of the damage taken. */
  addRing(victim: PlayerRef, damage: number): void {
    this.#add(victim, "damageTaken", damage)
    this.#add(victim, "ringDamage", damage)
  }

  totals(): Totals {
    return [...this.#lines.values()].map((line) => ({ ...line }))
  }

  #add(player: PlayerRef, field: Field, damage: number): void {
    const line = this.#lines.get(indexOf(player))
    if (line !== undefined) line[field] += damage
  }
}
