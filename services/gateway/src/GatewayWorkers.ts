/**
 * The parent of several gateways on one port. Each worker is a gateway process, and the operating system spreads new
 * connections over them. A worker that ends is started again.
 */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { listenSettings, logSettings, ownAdminSettings } from "@matchpoint/process/settings/catalog"
import { InvalidSettings } from "@matchpoint/process/settings/InvalidSettings"
import { readSettings } from "@matchpoint/process/settings/readSettings"
import { superviseChild } from "@matchpoint/process/supervision/superviseChild"
import { Console, Effect, Layer } from "effect"
import { WORKER_FLAG } from "./process/gatewayFlags.ts"

const MAX_PORT = 65_535

/** Runs the workers until the scope closes. Their ports for operators count up from the configured one. */
export const gatewayWorkers = (count: number) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { adminHost: _, adminPort, port, ...log } = yield* readSettings({ ...listenSettings, ...ownAdminSettings, ...logSettings })
      const problems = [
        ...(port === 0 ? ["PORT must not be 0 with --workers, because the workers share it"] : []),
        ...(adminPort + count - 1 > MAX_PORT || adminPort === 0
          ? [`MATCHPOINT_ADMIN_PORT must be from 1 to ${MAX_PORT - count + 1} with ${count} workers, whose ports count up from it`]
          : []),
      ]
      if (problems.length > 0) return yield* new InvalidSettings({ problems })
      return Layer.effectDiscard(Effect.forkScoped(superviseWorkers(count, adminPort))).pipe(Layer.provide(logOutput(log)))
    }),
  ).pipe(Layer.provide(NodeServices.layer))

const superviseWorkers = Effect.fnUntraced(function* (count: number, adminPort: number) {
  yield* Effect.logInfo(`starting ${count} gateways on one port (this machine has ${availableParallelism()} cores)`)
  const workers = Array.from({ length: count }, (_, at) => ({
    name: `gateway-${at + 1}`,
    script: fileURLToPath(new URL("main.ts", import.meta.url)),
    args: [WORKER_FLAG],
    env: { MATCHPOINT_ADMIN_PORT: String(adminPort + at) },
  }))
  const print = (_: unknown, line: string) => Console.log(line)
  yield* Effect.forEach(workers, (worker) => superviseChild(worker, { print }), { concurrency: "unbounded", discard: true })
})
