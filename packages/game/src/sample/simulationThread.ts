import { parentPort, workerData } from "node:worker_threads"

export interface Order {
  readonly seed: number
  /** The seasons end around this time, in epoch milliseconds. */
  readonly now: number
}

/** Reply to each message that the thread gets. The last one has no step. */
export interface SimulatedStep<Step = unknown> {
  readonly step?: Step
}

/** Makes the calling file a thread for `simulatedSeason`, with one step per message. Steps must be plain data. */
export const simulateInThread = (simulation: (order: Order) => Iterator<unknown, void>): void => {
  const port = parentPort
  if (port === null) throw new Error("a simulation must be started as a worker thread")
  const season = simulation(workerData as Order)
  port.on("message", () => {
    const { done, value } = season.next()
    port.postMessage((done === true ? {} : { step: value }) satisfies SimulatedStep)
  })
}
