import { Worker } from "node:worker_threads"
import { Deferred, Effect, Exit, Stream } from "effect"
import type { Order, SimulatedStep } from "./simulationThread.ts"

/**
 * Simulates a season in a thread of its own, because requests would wait while this one simulates. `entry` is a file
 * that calls `simulateInThread`. A step is simulated only when it is needed. Fails if the simulation fails or its thread
 * ends.
 */
export const simulatedSeason = <Step>(entry: URL, order: Order): Stream.Stream<Step, Error> =>
  Stream.unwrap(
    Effect.map(startThread(entry, order), (thread) =>
      Stream.takeWhile(Stream.fromEffectRepeat(nextStep<Step>(thread)), (step) => step !== undefined),
    ),
  )

interface SimulationThread {
  readonly worker: Worker
  /** Fails when the thread ends. */
  readonly ended: Deferred.Deferred<never, Error>
}

/** The listeners stay for the life of the thread, because it may end between two steps. */
const startThread = (entry: URL, order: Order) =>
  Effect.acquireRelease(
    Effect.sync((): SimulationThread => {
      const worker = new Worker(entry, { workerData: order })
      const ended = Deferred.makeUnsafe<never, Error>()
      const end = (error: Error) => Deferred.doneUnsafe(ended, Exit.fail(error))
      worker.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))))
      worker.on("exit", () => end(new Error("the thread that simulates a season ended")))
      return { worker, ended }
    }),
    ({ worker }) => Effect.promise(() => worker.terminate()),
  )

const nextStep = <Step>({ ended, worker }: SimulationThread): Effect.Effect<Step | undefined, Error> => {
  const reply = Effect.callback<Step | undefined>((resume) => {
    const replied = ({ step }: SimulatedStep<Step>) => resume(Effect.succeed(step))
    worker.once("message", replied)
    worker.postMessage("next")
    return Effect.sync(() => worker.off("message", replied))
  })
  return Effect.raceFirst(reply, Deferred.await(ended))
}
