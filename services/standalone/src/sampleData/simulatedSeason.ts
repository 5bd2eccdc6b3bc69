import { Worker } from "node:worker_threads"
import { Effect, Stream } from "effect"
import type { Order, SimulatedStep } from "./simulationThread.ts"

/**
 * Simulates a season in a thread of its own, because requests would wait while this one simulates. `entry` is a file that calls
 * `simulateInThread` with a simulation of such steps. A step is simulated only when it is needed. An error of the simulation is a
 * defect.
 */
export const simulatedSeason = <Step>(entry: URL, order: Order): Stream.Stream<Step> =>
  Stream.unwrap(
    Effect.map(startThread(entry, order), (thread) =>
      Stream.takeWhile(Stream.fromEffectRepeat(nextStep<Step>(thread)), (step) => step !== undefined),
    ),
  )

const startThread = (entry: URL, order: Order) =>
  Effect.acquireRelease(
    Effect.sync(() => new Worker(entry, { workerData: order })),
    (thread) => Effect.promise(() => thread.terminate()),
  )

const nextStep = <Step>(thread: Worker): Effect.Effect<Step | undefined> =>
  Effect.callback((resume) => {
    const forget = () => thread.off("message", replied).off("error", failed).off("exit", ended)
    const settle = (result: Effect.Effect<Step | undefined>) => {
      forget()
      resume(result)
    }
    const replied = ({ step }: SimulatedStep<Step>) => settle(Effect.succeed(step))
    const failed = (error: unknown) => settle(Effect.die(error))
    const ended = () => settle(Effect.die(new Error("the thread that simulates a season ended")))
    thread.on("message", replied).on("error", failed).on("exit", ended)
    thread.postMessage("next")
    return Effect.sync(forget)
  })
