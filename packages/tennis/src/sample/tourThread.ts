/** Entry of the thread that simulates the tours for `tourSample`. */
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"
import { simulateTour } from "../simulator/season/tour.ts"

simulateInThread(simulateTour)
