/**
 * Creates the data directory of a new embedded database by unpacking an archive. With `initdb` of PGlite, the first
 * start would take 6 s of CPU instead of 1, and the process would keep 200 MB more, because WebAssembly memory is never
 * returned to the system.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

/** Unpacking takes less than a second on a machine that is not busy. */
const WITHIN_MS = 120_000

/**
 * Creates `directory` unless it contains a database. If the process dies meanwhile, the next call starts over: the
 * directory gets its name when it is complete.
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
