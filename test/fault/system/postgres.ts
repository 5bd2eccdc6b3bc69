/** A PostgreSQL server of the run, with its own data directory. It flushes to disk as in production. */
import { execFileSync } from "node:child_process"
import { chownSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"
import { postgresFolder, postgresUser } from "./executables.ts"
import { NotReady, Program } from "./Program.ts"
import type { Workspace } from "./Workspace.ts"

const INIT_WITHIN_MS = 60_000

export interface RunningPostgres {
  readonly program: Program
  readonly port: number
}

/** Connection URL through a port of this machine, which may be a proxy. */
export const databaseUrl = (port: number): string => `postgres://mp@127.0.0.1:${port}/postgres`

export const startPostgres = Effect.fnUntraced(function* (workspace: Workspace, port: number) {
  const bin = postgresFolder()
  const user = postgresUser()
  const data = workspace.folder("postgres")
  yield* Effect.sync(() => {
    if (user !== undefined) chownSync(data, user.uid, user.gid)
    execFileSync(join(bin, "initdb"), ["-D", data, "-U", "mp", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"], {
      ...user,
      cwd: data,
      stdio: "pipe",
      timeout: INIT_WITHIN_MS,
    })
  })
  const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", max_connections: "200" }
  const program = yield* Program.make({
    name: "postgres",
    command: join(bin, "postgres"),
    args: ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    env: { LC_ALL: "C", TZ: "UTC" },
    directory: data,
    logFile: workspace.logFile("postgres"),
    user,
    ready: acceptsQueries(port),
    startWithinMs: 60_000,
    // Fast shutdown: running transactions are rolled back.
    stopSignal: "SIGINT",
  })
  yield* program.start
  return { program, port } satisfies RunningPostgres
})

/** Succeeds if the server answers a startup message with a request for, or the success of, authentication. */
const acceptsQueries = (port: number): Effect.Effect<void, NotReady> =>
  Effect.callback<void, NotReady>((resume) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1_000 })
    const parameters = Buffer.from("user\0mp\0database\0postgres\0\0")
    const head = Buffer.alloc(8)
    head.writeInt32BE(parameters.length + head.length)
    head.writeInt32BE(196_608, 4) // protocol version 3.0
    const end = (outcome: Effect.Effect<void, NotReady>) => {
      socket.destroy()
      resume(outcome)
    }
    socket.on("connect", () => socket.write(Buffer.concat([head, parameters])))
    socket.on("data", (bytes) =>
      end(bytes.toString("latin1", 0, 1) === "R" ? Effect.void : Effect.fail(new NotReady({ message: "PostgreSQL rejects connections" }))),
    )
    socket.on("timeout", () => end(Effect.fail(new NotReady({ message: "PostgreSQL does not answer" }))))
    socket.on("error", (error) => end(Effect.fail(new NotReady({ message: error.message }))))
    return Effect.sync(() => socket.destroy())
  })
