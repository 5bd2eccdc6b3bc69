/** Entry of a thread that simulates a season, one step per message that it gets. `simulatedSeason` starts it. */
import { parentPort, workerData } from "node:worker_threads"
import { type Order, type SeasonName, type StepOf, seasonOf } from "./seasons.ts"

/** Reply to a message. The last one has no step. */
export interface SimulatedStep<Name extends SeasonName = SeasonName> {
  readonly step?: StepOf<Name>
}

const port = parentPort
if (port === null) throw new Error("simulationThread must be started as a worker thread")

const season = seasonOf(workerData as Order)
port.on("message", () => {
  const { done, value } = season.next()
  port.postMessage((done === true || value === undefined ? {} : { step: value }) satisfies SimulatedStep)
})
