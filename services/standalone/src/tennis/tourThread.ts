/** Entry of the thread that simulates the tours for `tourSample`. */
import { simulateTour } from "@matchpoint/simulator/tennis/season/tour"
import { simulateInThread } from "../sampleData/simulationThread.ts"

simulateInThread(simulateTour)
