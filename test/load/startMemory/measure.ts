// Owns one measurement: starts the service as `npm start` does, samples its resident memory, and ends it.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export interface Load {
  readonly seconds: number
  /** Seconds between two samples. */
  readonly every: number
  readonly matches: number
  readonly speed: number
}

export interface Sample {
  /** Since the service has answered for the first time. */
  readonly second: number
  readonly rssMb: number
}

export interface StartMemory {
  /** The first sample of each minute, and the last one. */
  readonly minutes: ReadonlyArray<Sample>
  readonly peakMb: number
  /** The highest of the last minute: right after a collection it is less. */
  readonly endMb: number
}

const START_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 15_000

export const measureStart = async (load: Load, told: (sample: Sample) => void): Promise<StartMemory> => {
  const directory = mkdtempSync(join(tmpdir(), "matchpoint-start-memory-"))
  const port = await freePort()
  const script = spawn(process.execPath, [fileURLToPath(new URL("../../../infra/run/start.mjs", import.meta.url))], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      MATCHPOINT_DATA_DIRECTORY: directory,
      MATCHPOINT_SIMULATED_MATCHES: String(load.matches),
      MATCHPOINT_SIMULATION_SPEED: String(load.speed),
    },
  })
  try {
    await answering(script, port)
    const service = serviceOf(script)
    const samples: Array<Sample> = []
    const since = performance.now()
    for (let n = 0; n * load.every <= load.seconds; n++) {
      await delay(Math.max(0, since + n * load.every * 1_000 - performance.now()))
      assertRunning(script)
      const sample = { second: Math.round(n * load.every), rssMb: Math.round(residentBytes(service) / 2 ** 20) }
      if (isFirstOfMinute(sample, samples.at(-1))) told(sample)
      samples.push(sample)
    }
    return summaryOf(samples)
  } finally {
    await stop(script)
    rmSync(directory, { recursive: true, force: true })
  }
}

export const summaryOf = (samples: ReadonlyArray<Sample>): StartMemory => {
  const last = samples.at(-1)
  if (last === undefined) throw new Error("There is no sample")
  const highest = (some: ReadonlyArray<Sample>) => Math.max(...some.map(({ rssMb }) => rssMb))
  return {
    minutes: samples.filter((sample, n) => sample === last || isFirstOfMinute(sample, samples[n - 1])),
    peakMb: highest(samples),
    endMb: highest(samples.filter(({ second }) => second > last.second - 60)),
  }
}

const isFirstOfMinute = ({ second }: Sample, before: Sample | undefined): boolean =>
  before === undefined || Math.floor(second / 60) > Math.floor(before.second / 60)

/** The script starts the service as its only child. */
const serviceOf = ({ pid }: ChildProcess): number => {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
  if (!(child > 0)) throw new Error("The service has no process")
  return child
}

const residentBytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes) * 1_024
}

const answering = async (script: ChildProcess, port: number): Promise<void> => {
  const deadline = performance.now() + START_WITHIN_MS
  while (performance.now() < deadline) {
    assertRunning(script)
    const answers = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return
    await delay(100)
  }
  throw new Error(`The service did not answer within ${START_WITHIN_MS / 1_000} s`)
}

const assertRunning = ({ exitCode, signalCode }: ChildProcess): void => {
  if (exitCode !== null || signalCode !== null) throw new Error(`The service ended with code ${exitCode ?? signalCode}`)
}

/** The script hands the signal on. */
const stop = async (script: ChildProcess): Promise<void> => {
  if (script.exitCode !== null || script.signalCode !== null) return
  const ended = once(script, "exit")
  script.kill("SIGTERM")
  const force = setTimeout(() => {
    process.kill(serviceOf(script), "SIGKILL")
    script.kill("SIGKILL")
  }, STOP_WITHIN_MS)
  await ended
  clearTimeout(force)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("No port")
  return address.port
}
