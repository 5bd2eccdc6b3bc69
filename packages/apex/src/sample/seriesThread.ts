/** Entry of the thread that simulates the season for `seriesSample`. */
import { simulateSeason } from "../simulator/season/season.ts"
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"

simulateInThread(simulateSeason)
