/** Averages, shares and the rating of a player from counters. Only `round2` rounds. */
import type { PlayerTally } from "./live/state.ts"

/** Version of the formula of {@link rating}. Returned to callers with every rating. */
export const RATING_VERSION = "svc_rating_1"

/** Returned to callers with every rating. */
export const RATING_FORMULA =
  "0.0073 KAST% + 0.3591 KPR - 0.5329 DPR + 0.2372 impact + 0.0032 ADR + 0.1587 with impact = 2.13 KPR + 0.42 APR - 0.41, over the rounds of the map"

export type RatedTally = Pick<PlayerTally, "kills" | "deaths" | "assists" | "damage" | "kastRounds">

/** Average damage per round, in health points. */
export const adr = (tally: PlayerTally, rounds: number): number => (rounds === 0 ? 0 : tally.damage / rounds)

/**
 * Share of rounds in which the player had a kill or an assist, survived, or died and was traded, from 0 to 1. Null
 * before the end of the first round.
 */
export const kast = (tally: PlayerTally, roundsEnded: number): number | null => (roundsEnded === 0 ? null : tally.kastRounds / roundsEnded)

export const headshotShare = (tally: PlayerTally): number => (tally.kills <= 0 ? 0 : tally.headshots / tally.kills)

/**
 * The rating `svc_rating_1`, or null before the end of the first round. The formula is the published linear
 * approximation of the HLTV 2.0 rating (D. Blomkvist, "Reverse engineering the HLTV rating 2.0", flashed.gg 2017):
 * 0.0073 KAST% + 0.3591 KPR - 0.5329 DPR + 0.2372 impact + 0.0032 ADR + 0.1587, with impact = 2.13 KPR + 0.42 APR -
 * 0.41. KPR, DPR and APR are kills, deaths and assists per round. 1.0 is an average performance.
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

/** The precision of API responses. */
export const round2 = (value: number): number => Math.round(value * 100) / 100
