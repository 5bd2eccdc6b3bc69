/**
 * Rates shown beside a player's counts. Pure arithmetic; no rounding but the one named.
 */
import type { PlayerTally } from "./live/state.ts"

/** Version of {@link rating} told with every rating. */
export const RATING_VERSION = "svc_rating_1"

/** {@link rating} in words, shown beside it. */
export const RATING_FORMULA =
  "0.0073 KAST% + 0.3591 KPR - 0.5329 DPR + 0.2372 impact + 0.0032 ADR + 0.1587 with impact = 2.13 KPR + 0.42 APR - 0.41, over the rounds of the map"

/** What a rating is made of. */
export type RatedTally = Pick<PlayerTally, "kills" | "deaths" | "assists" | "damage" | "kastRounds">

/** Average damage per round, in health points. */
export const adr = (tally: PlayerTally, rounds: number): number => (rounds === 0 ? 0 : tally.damage / rounds)

/** Share of rounds with a kill, an assist, survival or a traded death, 0..1; null before the first round has ended. */
export const kast = (tally: PlayerTally, roundsEnded: number): number | null => (roundsEnded === 0 ? null : tally.kastRounds / roundsEnded)

export const headshotShare = (tally: PlayerTally): number => (tally.kills <= 0 ? 0 : tally.headshots / tally.kills)

/**
 * svc_rating_1: the published linear approximation of the HLTV 2.0 rating (D. Blomkvist, "Reverse engineering the HLTV rating
 * 2.0", flashed.gg 2017), 1.0 being an average performance:
 * 0.0073 KAST% + 0.3591 KPR - 0.5329 DPR + 0.2372 impact + 0.0032 ADR + 0.1587, impact = 2.13 KPR + 0.42 APR - 0.41.
 */
export const rating = (tally: RatedTally, roundsEnded: number): number | null => {
  if (roundsEnded === 0) return null
  const kpr = tally.kills / roundsEnded
  const dpr = tally.deaths / roundsEnded
  const apr = tally.assists / roundsEnded
  const impact = 2.13 * kpr + 0.42 * apr - 0.41
  const kastPercent = (100 * tally.kastRounds) / roundsEnded
  return 0.0073 * kastPercent + 0.3591 * kpr - 0.5329 * dpr + 0.2372 * impact + 0.0032 * (tally.damage / roundsEnded) + 0.1587
}

/** Two decimals, as answers show rates and ratings. */
export const round2 = (value: number): number => Math.round(value * 100) / 100
