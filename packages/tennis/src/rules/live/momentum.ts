/**
 * Momentum: which side has won more of the recent points, where important points count more. Has no side effects.
 *
 * For points 1 to n with importance w (1 to 4, see stakes.ts) and result r (+1 if side 0 won the point, -1 otherwise):
 *
 *     momentum = sum(r * w * DECAY^(n - i)) / (PRIOR * DECAY^n + sum(w * DECAY^(n - i)))
 *
 * With DECAY 0.92, the weight of a point halves after about 8 more points. PRIOR stands for points before the match that
 * neither side has won, so that the first points do not give an extreme value.
 */
import type { SideIndex } from "./format.ts"

export const DECAY = 0.92
export const PRIOR = 5

/** Numerator and denominator of the formula. */
export interface Momentum {
  readonly balance: number
  readonly weight: number
}

export const noMomentum: Momentum = { balance: 0, weight: PRIOR }

export const momentumAfter = ({ balance, weight }: Momentum, winner: SideIndex, importance: number): Momentum => ({
  balance: balance * DECAY + (winner === 0 ? importance : -importance),
  weight: weight * DECAY + importance,
})

/** -1 to 1 in steps of 0.01. Positive if side 0 has it, and 0 before the first point. */
export const momentumOf = ({ balance, weight }: Momentum): number => Math.round((balance / weight) * 100) / 100 + 0
