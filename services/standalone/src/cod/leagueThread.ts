/** Entry of the thread that simulates the league for `leagueSample`. */
import { simulateLeague } from "@matchpoint/simulator/cod/season/league"
import { simulateInThread } from "../sampleData/simulationThread.ts"

simulateInThread(simulateLeague)
