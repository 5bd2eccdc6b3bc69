/**
 * The worker thread that runs PGlite, which executes each statement to completion on the thread that calls it; neither
 * `statement_timeout` nor a cancel request stops it. On the main thread, one slow query would block all network
 * connections. The wire protocol, locks and timeouts belong to `EmbeddedEngine` and `Embedded`.
 */
import { openAsBlob } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { PGlite } from "@electric-sql/pglite"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { dataDir as emptyDatabase } from "@electric-sql/pglite-prepopulatedfs"
import { plannerSettings } from "./plannerSettings.ts"

export interface EmbeddedWorkerData {
  /** An existing directory. If null, the database is in memory only. */
  readonly dataDirectory: string | null
  /** Path of a dump: the initial content of a database in memory, which is empty by default. */
  readonly initialData: string | undefined
}

/**
 * `frame` holds complete messages of the PostgreSQL wire protocol; `opensSession` is true for the first message of a
 * session (the startup packet). Every frame gets exactly one reply, in the order of the requests.
 */
export type EmbeddedRequest = { readonly frame: Uint8Array<ArrayBuffer>; readonly opensSession: boolean } | "close"

export type EmbeddedReply =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Frame"; readonly frame: Uint8Array<ArrayBuffer> }
  | { readonly _tag: "Failed"; readonly error: unknown }

const port = parentPort
if (port === null) throw new Error("EmbeddedWorker must be started as a worker thread")

const { dataDirectory, initialData } = workerData as EmbeddedWorkerData

/**
 * Page cache. Smaller than PGlite's default of 128 MB, because WebAssembly memory is never returned to the system. Other
 * pages are usually in the operating system's file cache, from which a single call reads them.
 */
const SHARED_BUFFERS = "16MB"

/** Settings that `initdb` would write to the data directory. The directory of a new database was made elsewhere. */
const timeZones = { timezone: "UTC", log_timezone: "UTC" }

const settings = (named: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(named).flatMap(([name, value]) => ["-c", `${name}=${value}`])

const reply = (message: EmbeddedReply) => port.postMessage(message, message._tag === "Frame" ? [message.frame.buffer] : [])

const handle = async (db: PGlite, request: EmbeddedRequest): Promise<void> => {
  if (request === "close") {
    await db.close()
    port.close()
    return
  }
  if (request.opensSession) {
    // All sessions use the same backend. Without a reset, a new session could inherit an open transaction or prepared
    // statements.
    await db.exec("ROLLBACK")
    await db.exec("DISCARD ALL")
  }
  const answer = await db.execProtocolRaw(request.frame)
  // Copied, because transferring the original would detach memory that PGlite may still use.
  reply({ _tag: "Frame", frame: new Uint8Array(answer) })
}

try {
  const db = await PGlite.create({
    ...(dataDirectory === null
      ? { loadDataDir: initialData === undefined ? await emptyDatabase() : await openAsBlob(initialData) }
      : { dataDir: dataDirectory }),
    extensions: { pg_trgm },
    // Passed as start parameters, because `DISCARD ALL` resets the settings of a session.
    startParams: [...PGlite.defaultStartParams, ...settings({ ...plannerSettings, ...timeZones, shared_buffers: SHARED_BUFFERS })],
  })
  let last = Promise.resolve()
  port.on("message", (request: EmbeddedRequest) => {
    last = last.then(() => handle(db, request)).catch((error: unknown) => reply({ _tag: "Failed", error }))
  })
  reply({ _tag: "Ready" })
} catch (error) {
  reply({ _tag: "Failed", error })
  port.close()
}
