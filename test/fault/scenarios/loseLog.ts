import { cpSync, rmSync } from "node:fs"
import { Effect } from "effect"
import type { NatsNode } from "../system/nats.ts"
import { usualTopology } from "../system/System.ts"
import { type Scenario, usualLoad } from "./Scenario.ts"

const shared = {
  topology: usualTopology,
  load: usualLoad,
  demands: { longestPauseMs: 15_000, mayLoseFacts: true },
} satisfies Partial<Scenario>

const remove = ({ store }: NatsNode) => Effect.sync(() => rmSync(store, { recursive: true, force: true }))

export const loseLog: Scenario = {
  name: "lose-log",
  summary: "NATS is killed with -9, loses its disk, and starts again with nothing",
  ...shared,
  fault: Effect.fnUntraced(function* ({ system }) {
    for (const server of system.nats.nodes) {
      yield* server.program.kill
      yield* remove(server)
      yield* server.program.restart()
    }
  }),
}

export const restoreLog: Scenario = {
  name: "restore-log",
  summary: "NATS is killed with -9 and starts again with the content of its disk of 5 s ago",
  ...shared,
  // NATS is away twice, with 5 s between.
  demands: { ...shared.demands, longestPauseMs: 20_000 },
  fault: Effect.fnUntraced(function* ({ system }) {
    for (const server of system.nats.nodes) {
      const backup = system.workspace.folder(`backup of ${server.name}`)
      yield* server.program.kill
      yield* Effect.sync(() => cpSync(server.store, backup, { recursive: true }))
      yield* server.program.restart()
      yield* Effect.sleep("5 seconds")
      yield* server.program.kill
      yield* remove(server)
      yield* Effect.sync(() => cpSync(backup, server.store, { recursive: true }))
      yield* server.program.restart()
    }
  }),
}
