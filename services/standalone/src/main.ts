/** Runs `npm start`. */

// Compiles schemas to functions on first use: decoding and encoding a response takes a third of the time. Must be
// imported before any module that uses a schema.
import "effect/schema/SchemaJITCompiler/enable"
import { setFlagsFromString } from "node:v8"
import { launch } from "@matchpoint/process/launch"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { Effect, Layer } from "effect"
import { Standalone } from "./Standalone.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

// Limits V8's young generation (the heap area for new objects) in the database's worker thread. V8 flags apply to all
// threads, but that of the main thread has already been sized.
for (const flag of ["--min-semi-space-size=1", "--max-semi-space-size=8"]) setFlagsFromString(flag)

const Log = Layer.unwrap(Effect.map(StandaloneConfig, logOutput))

launch(Standalone.pipe(Layer.provide(Log), Layer.provide(StandaloneConfig.layer)))
