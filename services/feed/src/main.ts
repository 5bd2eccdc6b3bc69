/** `node services/feed/src/main.ts` */

// Compiles schemas to functions on first use. Must be imported before any module that uses a schema.
import "effect/schema/SchemaJITCompiler/enable"
import { launch } from "@matchpoint/process/launch"
import { FeedProcess } from "./FeedProcess.ts"

launch(FeedProcess)
