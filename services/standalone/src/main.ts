/** Entry point of `npm start`. */

// Compiles schemas to functions when they are first used. Decoding and encoding a response then costs a third. Must be
// imported before any module that uses a schema.
import "effect/schema/SchemaJITCompiler/enable"
import { setFlagsFromString } from "node:v8"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { logOutput } from "./logging/LogOutput.ts"
import { Standalone } from "./Standalone.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"
import { explainingFailure } from "./startFailure.ts"

// V8 flags apply to all threads. The young generation of the main thread has already been sized. The database's worker,
// which starts later, gets a small one.
for (const flag of ["--min-semi-space-size=1", "--max-semi-space-size=8"]) setFlagsFromString(flag)

const Log = Layer.unwrap(Effect.map(StandaloneConfig, ({ log, logLevel }) => logOutput({ format: log, level: logLevel })))

const program = Layer.launch(Standalone.pipe(Layer.provide(Log), Layer.provide(StandaloneConfig.layer)))

NodeRuntime.runMain(explainingFailure(program), { disableErrorReporting: true })
