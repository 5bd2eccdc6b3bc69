// Owns the service as `npm start` runs it, on a free port of this machine: its start, its memory, its end. Linux only.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { findFreePort } from "@matchpoint/testing/freePorts"
import { cpuSeconds, residentBytes, withoutSettings } from "./processes.ts"

export interface Service {
  readonly port: number
  /** Throws if the service has ended. */
  readonly residentBytes: () => number
  /** CPU time of all threads since the start. Throws if the service has ended. */
  readonly cpuSeconds: () => number
  /** As `cpuSeconds`, with the script that starts it and the processes that have ended. */
  readonly wholeCpuSeconds: () => number
  /** Also removes the folder if it was made for this service. */
  readonly stop: () => Promise<void>
}

const START_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 15_000

/**
 * Resolves once the service responds. `settings`: environment variables besides those of the port and the folder. `folder`: that
 * of an earlier start; without it, an empty one is made.
 */
export const startService = async (settings: Readonly<Record<string, string>>, folder?: string): Promise<Service> => {
  const directory = folder ?? mkdtempSync(join(tmpdir(), "matchpoint-load-"))
  const port = await findFreePort()
  const script = spawn(process.execPath, [fileURLToPath(new URL("../../../infra/run.mjs", import.meta.url)), "start"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...withoutSettings(process.env), PORT: String(port), MATCHPOINT_DATA_DIRECTORY: directory, ...settings },
  })
  const end = async () => {
    await stop(script)
    if (folder === undefined) rmSync(directory, { recursive: true, force: true })
  }
  try {
    await answering(script, port)
    const pid = serviceOf(script)
    return {
      port,
      residentBytes: () => {
        assertRunning(script)
        return residentBytes(pid)
      },
      cpuSeconds: () => {
        assertRunning(script)
        return cpuSeconds(pid)
      },
      wholeCpuSeconds: () => {
        assertRunning(script)
        return cpuSeconds(pid, true) + cpuSeconds(script.pid ?? 0)
      },
      stop: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Returns the pid of the service, which is the script's only child. */
const serviceOf = ({ pid }: ChildProcess): number => {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
  if (!(child > 0)) throw new Error("The service has no process")
  return child
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
  throw new Error(`The service did not respond within ${START_WITHIN_MS / 1_000} s`)
}

const assertRunning = ({ exitCode, signalCode }: ChildProcess): void => {
  if (exitCode !== null || signalCode !== null) throw new Error(`The service exited with ${exitCode ?? signalCode}`)
}

/** Stops the script, which forwards the signal to the service. */
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
