import { Worker } from "node:worker_threads"
import { Effect, Stream } from "effect"
import type { Order, SeasonName, StepOf } from "./seasons.ts"
import type { SimulatedStep } from "./simulationThread.ts"

/**
 * Simulates a season in a thread of its own, because requests would wait while this one simulates. A step is simulated only
 * when it is needed. An error of the simulation is a defect.
 */
export const simulatedSeason = <Name extends SeasonName>(season: Name, now: number): Stream.Stream<StepOf<Name>> =>
  Stream.unwrap(
    Effect.map(startThread({ season, now }), (thread) =>
      Stream.takeWhile(Stream.fromEffectRepeat(nextStep<Name>(thread)), (step) => step !== undefined),
    ),
  )

const startThread = (order: Order) =>
  Effect.acquireRelease(
    Effect.sync(() => new Worker(new URL("./simulationThread.ts", import.meta.url), { workerData: order })),
    (thread) => Effect.promise(() => thread.terminate()),
  )

const nextStep = <Name extends SeasonName>(thread: Worker): Effect.Effect<StepOf<Name> | undefined> =>
  Effect.callback((resume) => {
    const forget = () => thread.off("message", replied).off("error", failed).off("exit", ended)
    const settle = (result: Effect.Effect<StepOf<Name> | undefined>) => {
      forget()
      resume(result)
    }
    const replied = ({ step }: SimulatedStep<Name>) => settle(Effect.succeed(step))
    const failed = (error: unknown) => settle(Effect.die(error))
    const ended = () => settle(Effect.die(new Error("the thread that simulates a season ended")))
    thread.on("message", replied).on("error", failed).on("exit", ended)
    thread.postMessage("next")
    return Effect.sync(forget)
  })
