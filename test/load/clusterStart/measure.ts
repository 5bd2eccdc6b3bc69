// Owns one measurement: starts the processes of `npm run cluster` on servers of its own and reads what each of them uses.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { findFreePort } from "@matchpoint/testing/freePorts"
import { cpuSeconds, residentBytes, withoutSettings } from "../lib/processes.ts"
import { rounded } from "../lib/statistics.ts"

export interface StartedProcess {
  readonly name: string
  /** Seconds from the command to the first answer that the process is ready. */
  readonly readyAfter: number
  /** CPU seconds of the process until then. */
  readonly readyCpu: number
  /** The highest resident memory, in MB, of `idleFor` seconds after all processes are ready. */
  readonly idleMb: number
  /** CPU of these seconds as a share of a core, 0 to 1. */
  readonly idleCpu: number
}

export interface Servers {
  /** Address of a database without tables. */
  readonly databaseUrl: string
  readonly natsUrl: string
}

const READY_WITHIN_MS = 180_000
const SAMPLE_EVERY_MS = 1_000

export const measureClusterStart = async ({ databaseUrl, natsUrl }: Servers, idleFor: number): Promise<ReadonlyArray<StartedProcess>> => {
  const since = performance.now()
  const script = fileURLToPath(new URL("../../../infra/run.mjs", import.meta.url))
  const child = spawn(process.execPath, [script, "cluster", "--port", String(await findFreePort())], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...withoutSettings(process.env),
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      MATCHPOINT_ADMIN_TOKEN: "admin-token-of-the-benchmark",
      MATCHPOINT_FEED_TOKEN: "feed-token-of-the-benchmark",
      MATCHPOINT_WEBHOOK_KEY: "webhook-key-of-the-benchmark",
    },
  })
  const ended = once(child, "exit")
  try {
    const processes = await readProcesses(child.stdout)
    const ready = await Promise.all(
      processes.map(async ({ adminPort, name, pid }) => {
        await untilReady(adminPort)
        return { name, pid, readyAfter: rounded((performance.now() - since) / 1_000, 1), readyCpu: cpuSeconds(pid) }
      }),
    )
    return await Promise.all(ready.map(async ({ pid, ...rest }) => ({ ...rest, ...(await idle(pid, idleFor)) })))
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

interface RunningProcess {
  readonly name: string
  readonly pid: number
  readonly adminPort: number
}

/** Reads the plan and the pids from the output. Later lines are read too, so that the processes can write, and forgotten. */
const readProcesses = (output: NodeJS.ReadableStream): Promise<ReadonlyArray<RunningProcess>> =>
  new Promise((resolve, reject) => {
    const late = new Error(`\`npm run cluster\` has not started its processes within ${READY_WITHIN_MS / 1_000} s`)
    setTimeout(() => reject(late), READY_WITHIN_MS).unref()
    const ports = new Map<string, number>()
    const processes: Array<RunningProcess> = []
    createInterface(output)
      .on("line", (line) => {
        const planned = /^ {2}(\S+) .*health and metrics on port (\d+)$/.exec(line)
        if (planned?.[1] !== undefined) ports.set(planned[1], Number(planned[2]))
        const started = /(\S+) has started as process (\d+)/.exec(line)
        const adminPort = ports.get(started?.[1] ?? "")
        if (started?.[1] === undefined || adminPort === undefined) return
        processes.push({ name: started[1], pid: Number(started[2]), adminPort })
        if (processes.length === ports.size) resolve(processes)
      })
      .on("close", () => reject(new Error("`npm run cluster` has ended")))
  })

const untilReady = async (adminPort: number): Promise<void> => {
  const deadline = performance.now() + READY_WITHIN_MS
  const isReady = () =>
    fetch(`http://127.0.0.1:${adminPort}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (performance.now() > deadline) throw new Error(`A process was not ready within ${READY_WITHIN_MS / 1_000} s`)
    await delay(50)
  }
}

const idle = async (pid: number, seconds: number) => {
  const since = performance.now()
  const cpuBefore = cpuSeconds(pid)
  let highest = 0
  while (performance.now() - since < seconds * 1_000) {
    await delay(SAMPLE_EVERY_MS)
    highest = Math.max(highest, residentBytes(pid))
  }
  const idleCpu = rounded(((cpuSeconds(pid) - cpuBefore) * 1_000) / (performance.now() - since), 3)
  return { idleMb: Math.round(highest / 2 ** 20), idleCpu }
}
