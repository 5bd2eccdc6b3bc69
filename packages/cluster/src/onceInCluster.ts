import { Effect, Layer, Schedule } from "effect"
import { Singleton } from "effect/cluster"

/**
 * Runs `job` in one member of the cluster at a time. If it fails, it is logged and started again after five seconds.
 * `name` must be unique in the cluster.
 */
export const onceInCluster = <E, R>(name: string, job: Layer.Layer<never, E, R>) =>
  Singleton.make(
    `job-${name}`,
    Layer.launch(Layer.fresh(job)).pipe(
      Effect.tapCause((cause) => Effect.logError(`${name} failed; starting again in 5 s`, cause)),
      Effect.sandbox,
      Effect.retry(Schedule.spaced("5 seconds")),
      Effect.orDie,
    ),
  )
