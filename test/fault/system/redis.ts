/** A Redis server of a run, without persistence. */
import { connect } from "node:net"
import { Effect } from "effect"
import { redisServer } from "./executables.ts"
import { NotReady, Program } from "./Program.ts"
import type { Workspace } from "./Workspace.ts"

export interface RunningRedis {
  readonly program: Program
  readonly port: number
}

/** Starts Redis. Returns undefined if it is not installed; the gateways then do without. */
export const startRedis = Effect.fnUntraced(function* (workspace: Workspace, port: number) {
  const command = redisServer()
  if (command === undefined) return undefined
  const program = yield* Program.make({
    name: "redis",
    command,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    env: {},
    directory: workspace.folder("redis"),
    logFile: workspace.logFile("redis"),
    ready: accepts(port),
    startWithinMs: 10_000,
  })
  yield* program.start
  return { program, port } satisfies RunningRedis
})

const accepts = (port: number): Effect.Effect<void, NotReady> =>
  Effect.callback<void, NotReady>((resume) => {
    const socket = connect({ port, host: "127.0.0.1" })
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.on("error", (error) => resume(Effect.fail(new NotReady({ message: error.message }))))
    return Effect.sync(() => socket.destroy())
  })
