/**
 * The worker thread that runs PGlite. It exists because PGlite executes each statement to completion on the thread that
 * calls it, and neither `statement_timeout` nor a cancel request can stop a statement. On the main thread, one slow
 * query would therefore block all network connections. The worker owns the database handle; the wire protocol, locks
 * and timeouts are handled by `EmbeddedEngine` and `Embedded`.
 */
import { openAsBlob } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { PGlite } from "@electric-sql/pglite"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { dataDir as emptyDatabase } from "@electric-sql/pglite-prepopulatedfs"
import { plannerSettings } from "./plannerSettings.ts"

/** Start parameters of the worker. */
export interface EmbeddedWorkerData {
  /** Path of an existing data directory. If null, the database is held in memory only. */
  readonly dataDirectory: string | null
  /** Path of a dump that becomes the initial content of a database in memory, which is empty by default. */
  readonly initialData: string | undefined
}

/**
 * A request to the worker. `frame` contains one or more complete messages of the PostgreSQL wire protocol, and
 * `opensSession` is true for the first message of a session (the startup packet). Every request with a frame gets
 * exactly one reply, in the order of the requests.
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
 * Size of PostgreSQL's page cache. It is smaller than PGlite's default of 128 MB, because WebAssembly memory is never
 * returned to the system. Pages missing from this cache are usually in the operating system's file cache, from which a
 * page is read with a single call.
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
    // The state of the PGlite backend is reset here, because all sessions use the same backend. Otherwise, a new
    // session could inherit an open transaction or prepared statements.
    await db.exec("ROLLBACK")
    await db.exec("DISCARD ALL")
  }
  const answer = await db.execProtocolRaw(request.frame)
  // The reply is copied, because transferring the original would detach memory that PGlite may still use.
  reply({ _tag: "Frame", frame: new Uint8Array(answer) })
}

try {
  const db = await PGlite.create({
    ...(dataDirectory === null
      ? { loadDataDir: initialData === undefined ? await emptyDatabase() : await openAsBlob(initialData) }
      : { dataDir: dataDirectory }),
    extensions: { pg_trgm },
    // These settings are passed as start parameters, because settings made in a session would be reset by `DISCARD
    // ALL`.
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
