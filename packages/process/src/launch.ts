/** Starts a process, explains a failed start, and ends it on SIGINT and SIGTERM. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { explainingFailure } from "./startFailure.ts"
import { endableStart } from "./startSignals.ts"

/**
 * A signal closes the resources of the layer. Exit code 130 after a signal, 1 after a failure, which is explained on
 * stderr. Spans are off unless `tracing` enables them.
 */
export const launch = <A, E>(layer: Layer.Layer<A, E>): void => {
  const program = Effect.scoped(Effect.andThen(endableStart(Layer.build(layer)), Effect.never))
  NodeRuntime.runMain(Effect.withTracerEnabled(explainingFailure(program), false), { disableErrorReporting: true })
}
