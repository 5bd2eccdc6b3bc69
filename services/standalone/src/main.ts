/** `npm start`. */

// Schemas are compiled to functions when they are first used: decoding and encoding an answer costs a third. Before anything that uses one.
import "effect/schema/SchemaJITCompiler/enable"
import { setFlagsFromString } from "node:v8"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { logOutput } from "./logging/LogOutput.ts"
import { Standalone } from "./Standalone.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"
import { explainingFailure } from "./startFailure.ts"
import { endableStart } from "./startSignals.ts"

// Flags of V8 are those of every thread. The nursery of this one has its size by now; the database's worker gets a small one.
for (const flag of ["--min-semi-space-size=1", "--max-semi-space-size=8"]) setFlagsFromString(flag)

const Log = Layer.unwrap(Effect.map(StandaloneConfig, ({ log, logLevel }) => logOutput({ format: log, level: logLevel })))

const start = Layer.build(Standalone.pipe(Layer.provide(Log), Layer.provide(StandaloneConfig.layer)))

const program = Effect.scoped(Effect.andThen(endableStart(start), Effect.never))

NodeRuntime.runMain(explainingFailure(program), { disableErrorReporting: true })
