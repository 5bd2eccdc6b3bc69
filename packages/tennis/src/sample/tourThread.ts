/** Entry of the thread that simulates the tours for `tourSample`. */
import { simulateTour } from "../simulator/season/tour.ts"
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"

simulateInThread(simulateTour)
