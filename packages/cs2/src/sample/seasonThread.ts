/** Entry of the thread that simulates the season for `seasonSample`. */
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"
import { type SeasonOptions, type SeasonStep, simulateSeason } from "../simulator/season/season.ts"

export type TournamentStep = Exclude<SeasonStep, { readonly _tag: "Match" }>

/** The step of a tournament has its matches, so those of single matches are left out. */
function* tournaments(options: SeasonOptions): Generator<TournamentStep, void> {
  for (const step of simulateSeason(options)) if (step._tag !== "Match") yield step
}

simulateInThread(tournaments)
