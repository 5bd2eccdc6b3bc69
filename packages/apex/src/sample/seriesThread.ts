/** Entry of the thread that simulates the season for `seriesSample`. */
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"
import { simulateSeason } from "../simulator/season/season.ts"

simulateInThread(simulateSeason)
