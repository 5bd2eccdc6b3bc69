/** Flags of the command that starts a gateway. Pure. */
import { parseArgs } from "node:util"

/** Highest number of workers. */
const MAX_WORKERS = 256

export const usage = `node services/gateway/src/main.ts [flags]

Runs a gateway. docs/operators/settings.md lists its settings, which are environment variables.

  --workers <n>  Number of processes that share the port, 1 to ${MAX_WORKERS}. Default 1. A small parent starts them, and
                 starts them again if they end. Their ports for operators count up from MATCHPOINT_ADMIN_PORT.
  --help         Prints this text.
`

export interface GatewayFlags {
  readonly workers: number
  /** True in a process that the parent of several workers has started. */
  readonly isWorker: boolean
  readonly help: boolean
}

/** Flag with which the parent starts its workers. */
export const WORKER_FLAG = "--worker"

/** Reads the flags. Returns a message if one is unknown or out of range. */
export const readFlags = (args: ReadonlyArray<string>): GatewayFlags | string => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        workers: { type: "string", default: "1" },
        worker: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    })
    const workers = /^\d{1,3}$/.test(values.workers) ? Number(values.workers) : 0
    if (workers < 1 || workers > MAX_WORKERS) return `--workers must be an integer from 1 to ${MAX_WORKERS}, not "${values.workers}"`
    return { workers, isWorker: values.worker, help: values.help }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
