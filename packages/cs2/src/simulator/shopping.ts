/** Decides what the players buy before a round: first how much the team spends, then the items of each player. */
import type { Random } from "@matchpoint/simulator/random"
import { arsenal, HELMET_PRICE, INCENDIARY_PRICE, KEVLAR_PRICE, KIT_PRICE, type Weapon } from "./arsenal.ts"
import { lossBonus } from "./economy.ts"
import type { Fighter } from "./fighter.ts"
import type { Squad } from "./squad.ts"

export type Buy = "pistol" | "eco" | "half" | "force" | "full"

export interface BuyContext {
  readonly firstOfHalf: boolean
  /** Saving money is pointless: this may be the last round before the end of the half or the map makes it worthless. */
  readonly lastChance: boolean
  readonly wonLast: boolean
}

/** A rifle, armor with helmet and some grenades. */
const FULL_BUY = 4_100

export const decideBuy = (random: Random, squad: Squad, context: BuyContext): Buy => {
  if (context.firstOfHalf) return squad.fighters.some((fighter) => fighter.money >= FULL_BUY) ? "full" : "pistol"
  const ready = squad.fighters.filter((fighter) => fighter.money + (fighter.primary?.price ?? 0) >= FULL_BUY - 300).length
  if (ready >= 4) return "full"
  if (context.lastChance || context.wonLast) return "force"
  const average = squad.fighters.reduce((sum, fighter) => sum + fighter.money, 0) / squad.fighters.length
  const roll = random.next()
  if (average < 2_000) return roll < 0.78 ? "eco" : "force"
  // If a full buy will be possible in the next round, the team is more likely to save (`eco`) in this one.
  if (average + lossBonus(squad) >= FULL_BUY) return roll < 0.5 ? "eco" : roll < 0.72 ? "half" : "force"
  return roll < 0.35 ? "eco" : roll < 0.6 ? "half" : "force"
}

/** Returns true if anything was bought. */
export const shop = (random: Random, fighter: Fighter, buy: Buy): boolean => {
  const before = fighter.money
  switch (buy) {
    case "pistol":
      shopPistol(random, fighter)
      break
    case "eco":
      if (fighter.primary === null && fighter.money >= 1_000 && random.chance(0.35))
        takePistol(fighter, random.chance(0.4) ? arsenal.deagle : arsenal.p250)
      break
    case "half":
      shopCheap(random, fighter, 1_400)
      break
    case "force":
      shopCheap(random, fighter, 0)
      break
    case "full":
      shopFull(random, fighter)
      break
  }
  return fighter.money !== before
}

const shopPistol = (random: Random, fighter: Fighter): void => {
  const roll = random.next()
  if (roll < 0.5) takeArmor(fighter, false)
  else if (roll < 0.65) takePistol(fighter, fighter.side === "CT" ? arsenal.p250 : random.chance(0.3) ? arsenal.tec9 : arsenal.p250)
  else if (fighter.side === "CT") takeKit(fighter)
  takeGrenades(random, fighter, 2, 0)
}

const shopCheap = (random: Random, fighter: Fighter, reserve: number): void => {
  const budget = () => fighter.money - reserve
  if (fighter.primary === null) {
    const rifle = fighter.side === "CT" ? arsenal.famas : arsenal.galil
    const wantsRifle = fighter.side === "T" || random.chance(0.45)
    const smg = fighter.side === "CT" ? (random.chance(0.12) ? arsenal.mag7 : arsenal.mp9) : arsenal.mac10
    if (fighter.role === "awper" && random.chance(0.35) && budget() >= arsenal.scout.price + KEVLAR_PRICE)
      takePrimary(fighter, arsenal.scout)
    else if (wantsRifle && budget() >= rifle.price + KEVLAR_PRICE) takePrimary(fighter, rifle)
    else if (budget() >= smg.price + KEVLAR_PRICE) takePrimary(fighter, smg)
    else if (budget() >= arsenal.deagle.price + KEVLAR_PRICE) takePistol(fighter, sidearm(random, fighter))
    else if (budget() >= arsenal.p250.price) takePistol(fighter, arsenal.p250)
  }
  if (budget() >= KEVLAR_PRICE) takeArmor(fighter, budget() >= KEVLAR_PRICE + HELMET_PRICE + 400)
  takeGrenades(random, fighter, 2, reserve)
}

const shopFull = (random: Random, fighter: Fighter): void => {
  const rifle = fighter.side === "T" ? arsenal.ak47 : random.chance(0.65) ? arsenal.m4a1s : arsenal.m4a4
  const wants = wantedPrimary(fighter, rifle)
  const price = wants?.price ?? 0
  takeArmor(fighter, fighter.money >= price + KEVLAR_PRICE + HELMET_PRICE)
  if (wants !== null && fighter.money >= price) takePrimary(fighter, wants)
  else if (fighter.primary === null) shopCheap(random, fighter, 0)
  if (fighter.side === "CT" && (fighter.money > 1_500 || random.chance(0.6))) takeKit(fighter)
  takeGrenades(random, fighter, 4, 0)
  if (fighter.money > 4_000 && random.chance(0.5)) takePistol(fighter, sidearm(random, fighter))
}

/** `null` if the player keeps the current primary weapon. */
const wantedPrimary = (fighter: Fighter, rifle: Weapon): Weapon | null => {
  const { money, primary, role } = fighter
  if (role === "awper" && primary !== arsenal.awp && money >= arsenal.awp.price + KEVLAR_PRICE) return arsenal.awp
  return primary === null || primary.power < arsenal.galil.power + 0.1 ? rifle : null
}

const sidearm = (random: Random, fighter: Fighter): Weapon =>
  random.chance(0.55) ? arsenal.deagle : fighter.side === "CT" ? arsenal.fiveseven : arsenal.tec9

const takePrimary = (fighter: Fighter, weapon: Weapon): void => {
  if (fighter.pay(weapon.price)) fighter.primary = weapon
}

const takePistol = (fighter: Fighter, weapon: Weapon): void => {
  if (weapon.price > fighter.pistol.price && fighter.pay(weapon.price)) fighter.pistol = weapon
}

const takeArmor = (fighter: Fighter, withHelmet: boolean): void => {
  if (fighter.armor < 60 && fighter.pay(KEVLAR_PRICE)) fighter.armor = 100
  if (withHelmet && fighter.armor > 0 && !fighter.helmet && fighter.pay(HELMET_PRICE)) fighter.helmet = true
}

const takeKit = (fighter: Fighter): void => {
  if (!fighter.kit && fighter.pay(KIT_PRICE)) fighter.kit = true
}

/** The game allows four per player, at most two of them flashbangs. */
const takeGrenades = (random: Random, fighter: Fighter, wanted: number, reserve: number): void => {
  let left = Math.min(wanted, 4 - fighter.flashbangs - fighter.smokes - fighter.grenades - fighter.fires)
  const take = (has: number, most: number, price: number): boolean => {
    if (left <= 0 || has >= most || fighter.money - reserve < price || !fighter.pay(price)) return false
    left -= 1
    return true
  }
  if (take(fighter.smokes, 1, arsenal.smoke.price)) fighter.smokes += 1
  if (take(fighter.flashbangs, 2, arsenal.flashbang.price)) fighter.flashbangs += 1
  if (random.chance(0.8) && take(fighter.fires, 1, fighter.side === "CT" ? INCENDIARY_PRICE : arsenal.molotov.price)) fighter.fires += 1
  if (random.chance(0.8) && take(fighter.grenades, 1, arsenal.he.price)) fighter.grenades += 1
  if (take(fighter.flashbangs, 2, arsenal.flashbang.price)) fighter.flashbangs += 1
}
