import { parseArgs } from "node:util"

const MAX_WORKERS = 256

export const usage = `node services/gateway/src/main.ts [flags]

Runs a gateway. docs/operators/settings.md lists its settings, which are environment variables.

  --workers <n>  Number of processes that share the port, 1 to ${MAX_WORKERS}. Default 1. A small parent starts them, and
                 starts them again if they end. Their ports for operators count up from MATCHPOINT_ADMIN_PORT.
  --help         Prints this text.
`

export interface GatewayFlags {
  readonly workers: number
  /** True if the parent of several workers has started this process. */
  readonly isWorker: boolean
  readonly help: boolean
}

/** The parent starts its workers with it. */
export const WORKER_FLAG = "--worker"

/** Returns a message if a flag is unknown or out of range. */
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
