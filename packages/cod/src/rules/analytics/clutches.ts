/**
 * Clutches: rounds of search and destroy in which a player was the last of the team against one to three opponents. Pure.
 *
 * The clutch factor of a player is the number of clutches won, divided by the number that an average player of the
 * period would have won in the same situations: with `share(k)` = all clutches won / all clutches against k opponents,
 * `factor = sum of wins(k) / sum of attempts(k) * share(k)`. 1 is the average. It needs no weights of our own, because
 * the shares say how difficult the situations are.
 */
import { type Measured, quotient } from "./gaps.ts"
import { addSums, type PlayerSums } from "./playerSums.ts"

export const situations = ["1v1", "1v2", "1v3"] as const
export type Situation = (typeof situations)[number]

/** Clutches without which a player has no clutch factor. */
export const MINIMUM_CLUTCHES = 10

export interface ClutchCount {
  readonly attempts: number
  readonly wins: number
}

export const clutchesOf = (sums: PlayerSums): Readonly<Record<Situation, ClutchCount>> => ({
  "1v1": { attempts: sums.clutch1v1Attempts, wins: sums.clutch1v1Wins },
  "1v2": { attempts: sums.clutch1v2Attempts, wins: sums.clutch1v2Wins },
  "1v3": { attempts: sums.clutch1v3Attempts, wins: sums.clutch1v3Wins },
})

/** Share of clutches won by all players, by situation. Null without a clutch. */
export type ClutchShares = Readonly<Record<Situation, number | null>>

export const clutchShares = (all: ReadonlyArray<PlayerSums>): ClutchShares => {
  const counts = clutchesOf(addSums(all))
  const share = ({ attempts, wins }: ClutchCount) => (attempts === 0 ? null : wins / attempts)
  return { "1v1": share(counts["1v1"]), "1v2": share(counts["1v2"]), "1v3": share(counts["1v3"]) }
}

/** The sample is the number of clutches. */
export const clutchFactor = (sums: PlayerSums, shares: ClutchShares): Measured => {
  const counts = clutchesOf(sums)
  const total = (of: (situation: Situation) => number) => situations.reduce((sum, situation) => sum + of(situation), 0)
  return quotient({
    numerator: total((situation) => counts[situation].wins),
    denominator: total((situation) => counts[situation].attempts * (shares[situation] ?? 0)),
    sample: total((situation) => counts[situation].attempts),
    minimumSample: MINIMUM_CLUTCHES,
    decimals: 2,
    isRecorded: sums.clutchMaps > 0,
    maps: sums.maps,
  })
}
