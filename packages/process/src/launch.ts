/** Runs a process: starts it, explains a failed start, and ends it on SIGINT and SIGTERM. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { explainingFailure } from "./startFailure.ts"
import { endableStart } from "./startSignals.ts"

/**
 * Runs the layer until a signal ends the process. The resources of the layer are closed first. Exit code 130 after a
 * signal, 1 after a failure, whose messages are on stderr. No span is created except where `tracing` enables it.
 */
export const launch = <A, E>(layer: Layer.Layer<A, E>): void => {
  const program = Effect.scoped(Effect.andThen(endableStart(Layer.build(layer)), Effect.never))
  NodeRuntime.runMain(Effect.withTracerEnabled(explainingFailure(program), false), { disableErrorReporting: true })
}
