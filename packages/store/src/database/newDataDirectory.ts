/**
 * Creates the data directory of a new embedded database by unpacking an archive. PGlite could create it too, with
 * `initdb`, but then the first start takes 6 s of CPU instead of 1, and the process keeps 200 MB more, because
 * WebAssembly memory is never returned to the system.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

/** Time in which the archive must be unpacked. It takes less than a second on a machine that is not busy. */
const WITHIN_MS = 120_000

/**
 * Creates `directory` unless it contains a database. The content is the dump at the path `dump`, or an empty database
 * by default. If the process dies meanwhile, the next call starts over: the directory gets its name when it is complete.
 */
export const newDataDirectory = async (directory: string, dump: string | undefined): Promise<void> => {
  if (existsSync(join(directory, "PG_VERSION"))) return
  const child = fork(fileURLToPath(new URL("./unpackDatabase.ts", import.meta.url)), [directory, ...(dump === undefined ? [] : [dump])], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: WITHIN_MS,
    killSignal: "SIGKILL",
  })
  const [[code], reason] = await Promise.all([once(child, "close"), child.stderr === null ? "" : text(child.stderr)])
  if (code !== 0) throw new Error(reason || `the database could not be unpacked within ${WITHIN_MS / 1_000} s`)
}
