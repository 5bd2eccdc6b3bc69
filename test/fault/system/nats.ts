/** NATS with JetStream for a run: one server, or a cluster of three. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePorts } from "@matchpoint/testing/freePorts"
import { Effect } from "effect"
import { natsServer } from "./executables.ts"
import { answersOk, requestJson } from "./http.ts"
import { Program } from "./Program.ts"
import { mountSmallDisk } from "./smallDisk.ts"
import type { Workspace } from "./Workspace.ts"

export interface NatsNode {
  readonly program: Program
  readonly name: string
  readonly port: number
  readonly monitorPort: number
  /** Folder of the streams. */
  readonly store: string
}

export interface RunningNats {
  readonly nodes: ReadonlyArray<NatsNode>
  /** Whether each append is flushed to disk before it is acknowledged (`sync_interval: always`, NATS 2.10). */
  readonly flushesEachAppend: boolean
}

export interface NatsPlan {
  readonly natsServers: 1 | 3
  /** Puts the streams on a file system of 256 MB. */
  readonly smallNatsDisk?: boolean
}

export const startNats = Effect.fnUntraced(function* (workspace: Workspace, { natsServers: servers, smallNatsDisk = false }: NatsPlan) {
  const command = natsServer()
  const ports = yield* freePorts(servers * 3)
  const places = Array.from({ length: servers }, (_, index) => ({
    name: `nats-${index + 1}`,
    port: ports[index * 3] ?? 0,
    monitorPort: ports[index * 3 + 1] ?? 0,
    clusterPort: ports[index * 3 + 2] ?? 0,
  }))
  const flushesEachAppend = knowsSyncInterval(command, workspace)
  const routes = places.map(({ clusterPort }) => `"nats://127.0.0.1:${clusterPort}"`)
  const nodes: Array<NatsNode> = []
  for (const { clusterPort, monitorPort, name, port } of places) {
    const store = workspace.folder(join("nats", name))
    if (smallNatsDisk) yield* mountSmallDisk(store)
    const file = join(workspace.folder("nats"), `${name}.conf`)
    const cluster =
      servers === 1
        ? []
        : // Clients keep to the addresses that they were given, which may be proxies.
          [`cluster { name: fault, listen: "127.0.0.1:${clusterPort}", no_advertise: true, routes: [${routes.join(", ")}] }`]
    const lines = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${port}"`,
      `http: "127.0.0.1:${monitorPort}"`,
      `jetstream { store_dir: "${store}", max_file_store: 8G${flushesEachAppend ? ", sync_interval: always" : ""} }`,
      ...cluster,
    ]
    yield* Effect.sync(() => writeFileSync(file, `${lines.join("\n")}\n`))
    const program = yield* Program.make({
      name,
      command,
      args: ["-c", file],
      env: {},
      directory: workspace.path,
      logFile: workspace.logFile(name),
      ready: answersOk(`http://127.0.0.1:${monitorPort}/healthz`),
      startWithinMs: 60_000,
    })
    nodes.push({ program, name, port, monitorPort, store })
  }
  // The servers of a cluster wait for each other before they report to be healthy.
  yield* Effect.forEach(nodes, ({ program }) => program.start, { concurrency: "unbounded", discard: true })
  return { nodes, flushesEachAppend } satisfies RunningNats
})

export const natsUrl = (ports: ReadonlyArray<number>): string => ports.map((port) => `nats://127.0.0.1:${port}`).join(",")

interface StreamReport {
  readonly account_details?: ReadonlyArray<{
    readonly stream_detail?: ReadonlyArray<{ readonly name: string; readonly cluster?: { readonly leader?: string } }>
  }>
}

/** Returns the server that leads a stream, or undefined while there is none. */
export const leaderOf = Effect.fnUntraced(function* ({ nodes }: RunningNats, stream: string) {
  const running = nodes.find(({ program }) => program.isRunning && !program.isFrozen)
  if (running === undefined) return undefined
  const report = yield* requestJson<StreamReport>(`http://127.0.0.1:${running.monitorPort}/jsz?accounts=true&streams=true`)
  const details = report.account_details?.flatMap(({ stream_detail }) => stream_detail ?? []) ?? []
  const leader = details.find(({ name }) => name === stream)?.cluster?.leader
  return nodes.find(({ name }) => name === leader)
})

/** Tests a configuration without starting a server. NATS before 2.10 does not know the setting. */
const knowsSyncInterval = (command: string, workspace: Workspace): boolean => {
  const file = join(workspace.folder("nats"), "probe.conf")
  writeFileSync(file, `jetstream { store_dir: "${workspace.path}", sync_interval: always }\n`)
  try {
    execFileSync(command, ["-t", "-c", file], { stdio: "pipe", timeout: 5_000 })
    return true
  } catch {
    return false
  }
}
