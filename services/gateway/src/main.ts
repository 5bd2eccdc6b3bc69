/** `node services/gateway/src/main.ts [--workers <n>]`. Exit codes: 1 if it cannot start, 130 after a signal. */

// Compiles schemas to functions on first use: decoding and encoding a response takes a third of the time. Must be
// imported before any module that uses a schema.
import "effect/schema/SchemaJITCompiler/enable"
import { launch } from "@matchpoint/process/launch"
import { readFlags, usage } from "./process/gatewayFlags.ts"

const flags = readFlags(process.argv.slice(2))

if (typeof flags === "string") {
  process.stderr.write(`${flags}\n\n${usage}`)
  process.exitCode = 1
} else if (flags.help) {
  process.stdout.write(usage)
} else if (flags.workers > 1) {
  const { gatewayWorkers } = await import("./GatewayWorkers.ts")
  launch(gatewayWorkers(flags.workers))
} else {
  // The parent of several workers does not need the modules of a gateway.
  const { gatewayProcess } = await import("./GatewayProcess.ts")
  launch(gatewayProcess({ isWorker: flags.isWorker }))
}
