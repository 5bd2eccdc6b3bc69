/**
 * The worker thread that runs PGlite. PGlite runs each statement to its end on the calling thread, and neither
 * `statement_timeout` nor a cancel request can stop it: on the main thread, one slow query would block every socket.
 * The worker owns the database handle. `EmbeddedEngine` and `Embedded` own the wire protocol, locks and time limits.
 */

import { openAsBlob } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { PGlite } from "@electric-sql/pglite"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { plannerSettings } from "./plannerSettings.ts"

/** Data that the worker starts with. A null directory keeps the database in memory. */
export interface EmbeddedWorkerData {
  readonly dataDirectory: string | null
  /** The path of a dump that a new database starts from. */
  readonly initialData: string | undefined
}

/**
 * A request to the worker. `frame` holds one or more complete frontend messages; `opensSession` marks the startup
 * packet. Every request with a frame gets one reply, in order.
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
 * Size of PostgreSQL's page cache. PGlite's default is 128 MB of WebAssembly memory that is never returned. Pages that
 * are not in this cache are usually in the operating system's file cache, where reading one costs a single call.
 */
const SHARED_BUFFERS = "16MB"

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
    // PGlite has one backend for all sessions. A new session must not inherit an open transaction or prepared
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
    ...(dataDirectory === null ? {} : { dataDir: dataDirectory }),
    ...(initialData === undefined ? {} : { loadDataDir: await openAsBlob(initialData) }),
    extensions: { pg_trgm },
    // Set for the process instead of the session, because DISCARD ALL would reset session settings.
    startParams: [...PGlite.defaultStartParams, ...settings({ ...plannerSettings, shared_buffers: SHARED_BUFFERS })],
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
