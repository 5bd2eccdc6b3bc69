/** One player on the map: health, equipment and money. Mutable, because only the simulation of one match uses it. */
import type { PlayerId } from "../rules/ids.ts"
import type { PlayerReport } from "../rules/live/feedEvents.ts"
import type { Side } from "../rules/live/rules.ts"
import { arsenal, HELMET_PRICE, INCENDIARY_PRICE, KEVLAR_PRICE, KIT_PRICE, type Weapon } from "./arsenal.ts"
import type { Role, SimulatedPlayer } from "./team.ts"

export const MAX_MONEY = 16_000

export class Fighter {
  readonly player: SimulatedPlayer
  /** Index of the player in the match, 0 to 9, and in {@link woundedBy}. */
  readonly slot: number
  /** Skill in a duel on this map, as log-odds of winning. Includes the strength and form of the team. */
  readonly skill: number
  side: Side = "CT"
  money = 0
  alive = true
  hp = 100
  armor = 0
  helmet = false
  kit = false
  primary: Weapon | null = null
  pistol: Weapon = arsenal.usp
  flashbangs = 0
  smokes = 0
  grenades = 0
  fires = 0
  /** Kills in this round. */
  kills = 0
  /** Items bought for this round. */
  purchases = 0
  /** Damage taken in this round, by the attacker's `slot`. */
  readonly woundedBy: Array<number> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  constructor(player: SimulatedPlayer, slot: number, skill: number) {
    this.player = player
    this.slot = slot
    this.skill = skill
  }

  get id(): PlayerId {
    return this.player.id
  }

  get role(): Role {
    return this.player.role
  }

  get weapon(): Weapon {
    return this.primary ?? this.pistol
  }

  /** For a new half: the default pistol and no other equipment. */
  reset(side: Side, money: number): void {
    this.side = side
    this.money = money
    this.loseEverything()
  }

  /** A player that died returns without equipment; a survivor keeps it. */
  respawn(): void {
    if (!this.alive) this.loseEverything()
    this.alive = true
    this.hp = 100
    this.kills = 0
    this.purchases = 0
    this.woundedBy.fill(0)
  }

  earn(amount: number): void {
    this.money = Math.max(0, Math.min(MAX_MONEY, this.money + amount))
  }

  /** If the money is not enough, changes nothing and returns false. */
  pay(price: number): boolean {
    if (this.money < price) return false
    this.money -= price
    this.purchases += 1
    return true
  }

  get equipmentValue(): number {
    return (
      this.pistol.price +
      (this.primary?.price ?? 0) +
      (this.armor > 0 ? KEVLAR_PRICE + (this.helmet ? HELMET_PRICE : 0) : 0) +
      (this.kit ? KIT_PRICE : 0) +
      this.flashbangs * arsenal.flashbang.price +
      this.smokes * arsenal.smoke.price +
      this.grenades * arsenal.he.price +
      this.fires * (this.side === "CT" ? INCENDIARY_PRICE : arsenal.molotov.price)
    )
  }

  report(): PlayerReport {
    const { alive } = this
    return {
      playerId: this.id,
      alive,
      hp: alive ? this.hp : 0,
      armor: alive ? this.armor : 0,
      helmet: alive && this.helmet,
      defuseKit: alive && this.kit,
      money: this.money,
      equipmentValue: alive ? this.equipmentValue : 0,
      weapon: alive ? this.weapon.name : null,
    }
  }

  private loseEverything(): void {
    this.armor = 0
    this.helmet = false
    this.kit = false
    this.primary = null
    this.pistol = this.side === "CT" ? arsenal.usp : arsenal.glock
    this.flashbangs = 0
    this.smokes = 0
    this.grenades = 0
    this.fires = 0
  }
}
