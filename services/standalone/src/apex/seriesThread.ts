/** Entry of the thread that simulates the season for `seriesSample`. */
import { simulateSeason } from "@matchpoint/simulator/apex/season/season"
import { simulateInThread } from "../sampleData/simulationThread.ts"

simulateInThread(simulateSeason)
