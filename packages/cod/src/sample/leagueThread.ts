/** Entry of the thread that simulates the league for `leagueSample`. */
import { simulateLeague } from "../simulator/season/league.ts"
import { simulateInThread } from "@matchpoint/game/sample/simulationThread"

simulateInThread(simulateLeague)
