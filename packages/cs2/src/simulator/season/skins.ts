/** An invented skin market with a year of monthly prices. The same seed and day always give the same prices. */
import { childSeed, Random } from "@matchpoint/simulator/random"

export interface SimulatedSkin {
  readonly marketName: string
  readonly rarity: string
  readonly collection: string
  /** US cents, oldest first. */
  readonly prices: ReadonlyArray<{ readonly pricedOn: string; readonly currency: "USD"; readonly minorUnits: number }>
}

const weapons = ["AK-47", "M4A1-S", "M4A4", "AWP", "Desert Eagle", "USP-S", "Glock-18", "MP9"] as const
const names = ["Copper Tide", "Paper Lantern", "Night Ferry", "Chalk Line", "Amber Grid"] as const
const wears = ["Factory New", "Field-Tested", "Battle-Scarred"] as const
const rarities = ["Mil-Spec", "Restricted", "Classified", "Covert"] as const

/** Relative to the price at the best wear level. */
const wearShare = { "Factory New": 1, "Field-Tested": 0.45, "Battle-Scarred": 0.25 } as const

const MONTHS = 12
const DAY = 86_400_000

export const simulateSkins = (seed: number, now: number): ReadonlyArray<SimulatedSkin> =>
  weapons.flatMap((weapon, w) =>
    names.flatMap((name, n) => {
      const random = new Random(childSeed(seed, 50_000 + w * names.length + n))
      const rank = random.int(0, rarities.length - 1)
      const start = 100 * Math.exp(1.2 * rank + random.normal() * 0.5)
      const steps = Array.from({ length: MONTHS }, () => Math.exp(random.normal() * 0.08))
      return wears.map((wear) => {
        let price = start * wearShare[wear]
        return {
          marketName: `${weapon} | ${name} (${wear})`,
          rarity: rarities[rank] ?? rarities[0],
          collection: `The ${name} Collection`,
          prices: steps.map((step, month) => {
            price *= step
            const pricedOn = new Date(now - (MONTHS - 1 - month) * 30 * DAY).toISOString().slice(0, 10)
            return { pricedOn, currency: "USD", minorUnits: Math.max(3, Math.round(price)) }
          }),
        }
      })
    }),
  )
