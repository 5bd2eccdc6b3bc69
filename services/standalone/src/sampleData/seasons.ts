/** The simulated seasons of the sample archives, for the thread that simulates and the process that writes. */
import { simulateSeason as apex } from "@matchpoint/simulator/apex/season/season"
import { simulateLeague as cod } from "@matchpoint/simulator/cod/season/league"
import { type SeasonStep, simulateSeason } from "@matchpoint/simulator/cs2/season/season"
import { simulateTour as tennis } from "@matchpoint/simulator/tennis/season/tour"

const SEED = 1

interface Options {
  readonly seed: number
  /** The seasons end around this time, in milliseconds since 1970. */
  readonly now: number
}

type Cs2Step = Exclude<SeasonStep, { readonly _tag: "Match" }>

/** The step of a tournament has its matches, so those of single matches are left out. */
function* cs2(options: Options): Generator<Cs2Step> {
  for (const step of simulateSeason(options)) if (step._tag !== "Match") yield step
}

/** What is simulated for each game, step by step. All steps can be sent between threads. */
const seasons = { cs2, tennis, cod, apex }

export type SeasonName = keyof typeof seasons
export type StepOf<Name extends SeasonName> = ReturnType<(typeof seasons)[Name]> extends Iterable<infer Step> ? Step : never

export interface Order {
  readonly season: SeasonName
  readonly now: number
}

export const seasonOf = ({ now, season }: Order): Generator<StepOf<SeasonName>, void> => seasons[season]({ seed: SEED, now })
