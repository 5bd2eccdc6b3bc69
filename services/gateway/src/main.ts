/** Entry point of a gateway process: `node services/gateway/src/main.ts`. */

// Makes effect compile schemas to functions on first use, so that decoding and encoding a response takes only a third
// of the time. Must be imported before any module that uses a schema.
import "effect/schema/SchemaJITCompiler/enable"
import { launch } from "@matchpoint/process/launch"
import { GatewayProcess } from "./GatewayProcess.ts"

launch(GatewayProcess)
