/** Money that players earn from rounds, by the rules of the competitive mode. `shopping.ts` decides how they spend it. */
import type { WinType } from "../rules/live/feedEvents.ts"
import { halfOfRound, type MatchRules, otherSide, type Side } from "../rules/live/rules.ts"
import type { Squad } from "./squad.ts"

export const START_MONEY = 800
export const OVERTIME_START_MONEY = 10_000
export const PLANT_REWARD = 300
export const DEFUSE_REWARD = 300
export const TEAM_KILL_FINE = 300
const PLANT_BONUS = 800
const LOWEST_LOSS_BONUS = 1_400
const LOSS_STEP = 500
const LOSS_STEPS = 4
/** Lost rounds with which each half starts (`mp_starting_losses 1`). The loss bonus rises with each lost round. */
const STARTING_LOSSES = 1

export const lossBonus = (squad: Squad): number => LOWEST_LOSS_BONUS + LOSS_STEP * Math.min(squad.losses, LOSS_STEPS)

export const isFirstOfHalf = (round: number, rules: MatchRules): boolean =>
  round === 1 || halfOfRound(round, rules) !== halfOfRound(round - 1, rules)

export const isLastOfHalf = (round: number, rules: MatchRules): boolean => halfOfRound(round, rules) !== halfOfRound(round + 1, rules)

/** Both teams lose their equipment and get the start money of the half. */
export const startHalf = (squads: readonly [Squad, Squad], ct: Squad, round: number, rules: MatchRules): void => {
  for (const squad of squads) {
    squad.side = squad === ct ? "CT" : "T"
    squad.losses = STARTING_LOSSES
    for (const fighter of squad.fighters) fighter.reset(squad.side, round > rules.maxRounds ? OVERTIME_START_MONEY : START_MONEY)
    for (const fighter of squad.fighters) fighter.alive = true
  }
}

export interface Outcome {
  readonly winner: Side
  readonly winType: WinType
  readonly planted: boolean
}

export const payRound = (squads: readonly [Squad, Squad], outcome: Outcome): void => {
  const byBomb = outcome.winType === "bomb_exploded" || outcome.winType === "bomb_defused"
  for (const squad of squads) {
    if (squad.side === outcome.winner) {
      for (const fighter of squad.fighters) fighter.earn(byBomb ? 3_500 : 3_250)
      squad.losses = Math.max(0, squad.losses - 1)
      continue
    }
    const bonus = lossBonus(squad) + (squad.side === "T" && outcome.planted ? PLANT_BONUS : 0)
    for (const fighter of squad.fighters) {
      // Attackers who survive a round that ended by time get no loss bonus.
      const saved = outcome.winType === "time_expired" && fighter.alive && squad.side === otherSide(outcome.winner)
      fighter.earn(saved ? 0 : bonus)
    }
    squad.losses = Math.min(LOSS_STEPS, squad.losses + 1)
  }
}
