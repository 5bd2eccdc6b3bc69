/** `npm start`. */
import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { Standalone } from "./Standalone.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

NodeRuntime.runMain(Layer.launch(Standalone.pipe(Layer.provide(StandaloneConfig.layer))))
