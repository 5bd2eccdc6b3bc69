/** Entry of the thread that simulates the league for `leagueSample`. */
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"
import { simulateLeague } from "../simulator/season/league.ts"

simulateInThread(simulateLeague)
