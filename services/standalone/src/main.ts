/** `npm start`. */

// Schemas are compiled to functions when they are first used: decoding and encoding an answer costs a third. Before anything that uses one.
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { Standalone } from "./Standalone.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

NodeRuntime.runMain(Layer.launch(Standalone.pipe(Layer.provide(StandaloneConfig.layer))))
