/** Recognises from feeds that a match has another number of regulation rounds than its registration states. */
import type { TeamIndex } from "../../rules/live/rules.ts"
import { currentMap, type MatchState } from "../../rules/live/state.ts"

/** Wingman, MR12 and MR15. */
export const usualRounds: ReadonlyArray<number> = [16, 24, 30]

/**
 * The regulation rounds if the teams have not swapped sides where the known rules have half-time. `ctTeam` must come
 * from names or players, because the rules would swap it. A number that is not usual was registered on purpose and
 * stays.
 */
export const roundsWithoutHalftime = (state: MatchState, round: number, ctTeam: TeamIndex): number | undefined => {
  const { maxRounds } = state.rules
  const isSecondHalf = usualRounds.includes(maxRounds) && round === maxRounds / 2 + 1
  return isSecondHalf && currentMap(state)?.startingCtTeam === ctTeam ? usualRounds.find((rounds) => rounds > maxRounds) : undefined
}

/** Payload field of a map or round, if the number is not the known one. */
export const correctedRounds = ({ rules }: MatchState, maxRounds: number | undefined): { readonly maxRounds?: number } =>
  maxRounds === undefined || maxRounds === rules.maxRounds ? {} : { maxRounds }
