/** How a player spent money on a map, and which grenades the player threw. What is not reported is undefined. */
import type { EconomyTally, UtilityTally } from "../archive/ArchivedMatch.ts"
import { playerBuy, type RoundInOrder } from "./buyTypes.ts"
import type { Grenade, PlayerKey, RoundRecord } from "./MapRecord.ts"

/** Equipment counts once per round that the player started. `purchases` is undefined unless reported for every round. */
export const economyOf = (rounds: ReadonlyArray<RoundInOrder>, player: PlayerKey): EconomyTally | undefined => {
  const tally = { totalSpend: 0, equipmentValue: 0, equipmentSnapshots: 0 }
  let purchases: number | undefined = 0
  const buys = { pistol: 0, eco: 0, force: 0, half: 0, full: 0 }
  for (const at of rounds) {
    const present = at.round.present.find((one) => one.player === player)
    if (present?.economy === undefined) continue
    const bought: number | undefined = present.economy.purchases
    purchases = purchases === undefined || bought === undefined ? undefined : purchases + bought
    tally.totalSpend += present.economy.spent
    tally.equipmentValue += present.economy.equipmentValue
    tally.equipmentSnapshots++
    buys[playerBuy(at, present.side, present.economy)]++
  }
  if (tally.equipmentSnapshots === 0) return undefined
  return {
    ...tally,
    purchases,
    fullBuyRounds: buys.full,
    halfBuyRounds: buys.half,
    forceBuyRounds: buys.force,
    ecoOrPistolRounds: buys.eco + buys.pistol,
  }
}

/** Grenades thrown while controlling a bot do not count. Undefined if the source does not report grenades. */
export const utilityOf = (rounds: ReadonlyArray<RoundRecord>, player: PlayerKey): UtilityTally | undefined => {
  const thrown: Record<Grenade, number> = { flash: 0, smoke: 0, fire: 0, he: 0, decoy: 0 }
  for (const { grenades } of rounds) {
    if (grenades === undefined) return undefined
    for (const { grenade, thrower } of grenades) if (thrower.player === player && !thrower.controlsBot) thrown[grenade]++
  }
  return { flashes: thrown.flash, smokes: thrown.smoke, fireGrenades: thrown.fire, heGrenades: thrown.he, decoys: thrown.decoy }
}
