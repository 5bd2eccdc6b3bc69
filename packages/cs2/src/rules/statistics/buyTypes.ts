/**
 * Buy types, determined by the equipment after all players have made their purchases. The thresholds are those of
 * cs-demo-analyzer (`pkg/api/economy.go`) and apply to one player. For a team, they are multiplied by the number of
 * players on its side.
 *
 * - pistol: the first round of each half of regulation, whatever was bought;
 * - eco: equipment worth at most $1,000;
 * - full: equipment worth at least $4,500 as CT, $4,000 as T;
 * - force: between eco and full, after a lost round, with at most $400 left (for a team: less than $400 per player);
 * - half: all other purchases between eco and full (called "semi" in cs-demo-analyzer).
 */
import type { BuyType, TeamSlot } from "../archive/ArchivedMatch.ts"
import type { Side } from "../live/rules.ts"
import type { EconomyRecord, RoundRecord } from "./MapRecord.ts"

export const ECO_AT_MOST = 1_000
export const FULL_AT_LEAST: { readonly [S in Side]: number } = { CT: 4_500, T: 4_000 }
export const FORCE_LEAVES = 400

/** `previous` is undefined for the first round. */
export interface RoundInOrder {
  readonly round: RoundRecord
  readonly previous: RoundRecord | undefined
}

export const inOrder = (rounds: ReadonlyArray<RoundRecord>): ReadonlyArray<RoundInOrder> =>
  rounds.map((round, index) => ({ round, previous: rounds[index - 1] }))

export const teamOn = (round: RoundRecord, side: Side): TeamSlot => (side === "CT" ? round.ct : round.ct === 0 ? 1 : 0)

export const isPistol = ({ round, previous }: RoundInOrder): boolean =>
  !round.overtime && (previous === undefined || previous.ct !== round.ct)

/** False in the first round. */
const hasLost = ({ round, previous }: RoundInOrder, side: Side): boolean =>
  previous !== undefined && teamOn(previous, previous.winner) !== teamOn(round, side)

export const playerBuy = (at: RoundInOrder, side: Side, economy: EconomyRecord): BuyType => {
  if (isPistol(at)) return "pistol"
  if (economy.equipmentValue <= ECO_AT_MOST) return "eco"
  if (economy.equipmentValue >= FULL_AT_LEAST[side]) return "full"
  return hasLost(at, side) && economy.startMoney - economy.spent <= FORCE_LEAVES ? "force" : "half"
}

export interface TeamBuy {
  /** All players of the side together. */
  readonly equipmentValue: number
  readonly type: BuyType
}

/** Undefined if the economy of one of the side's players is unknown. */
export const teamBuy = (at: RoundInOrder, side: Side): TeamBuy | undefined => {
  let equipmentValue = 0
  let left = 0
  let players = 0
  for (const { economy, side: his } of at.round.present) {
    if (his !== side) continue
    if (economy === undefined) return undefined
    equipmentValue += economy.equipmentValue
    left += economy.startMoney - economy.spent
    players++
  }
  return players === 0 ? undefined : { equipmentValue, type: typeOfTeam(at, side, equipmentValue / players, left / players) }
}

const typeOfTeam = (at: RoundInOrder, side: Side, equipmentEach: number, leftEach: number): BuyType =>
  isPistol(at) ? "pistol" : buyTypeOf({ side, equipmentEach, leftEach, hasLost: hasLost(at, side) })

/** Pistol rounds are not considered. Amounts are averages per player of the side. `hasLost`: lost the previous round. */
export const buyTypeOf = (buy: {
  readonly side: Side
  readonly equipmentEach: number
  readonly leftEach: number
  readonly hasLost: boolean
}): BuyType => {
  if (buy.equipmentEach <= ECO_AT_MOST) return "eco"
  if (buy.equipmentEach >= FULL_AT_LEAST[buy.side]) return "full"
  return buy.hasLost && buy.leftEach < FORCE_LEAVES ? "force" : "half"
}
