/**
 * The worker thread that PGlite lives in. PGlite runs a statement to its end on the thread that asked for it, and neither
 * `statement_timeout` nor a cancel request reaches it there: on the main thread one slow query would stop every socket.
 * It owns the database handle; the wire protocol, locks and time limits belong to `EmbeddedEngine` and `Embedded`.
 */

import { openAsBlob } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { PGlite } from "@electric-sql/pglite"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { plannerSettings } from "./plannerSettings.ts"

/** Null keeps the database in memory. */
export interface EmbeddedWorkerData {
  readonly dataDirectory: string | null
  /** The path of a dump that a new database starts from. */
  readonly initialData: string | undefined
}

/** `frame` is one or more whole frontend messages; `opensSession` marks the startup packet. Every request gets one reply, in order. */
export type EmbeddedRequest = { readonly frame: Uint8Array<ArrayBuffer>; readonly opensSession: boolean } | "close"

export type EmbeddedReply =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Frame"; readonly frame: Uint8Array<ArrayBuffer> }
  | { readonly _tag: "Failed"; readonly error: unknown }

const port = parentPort
if (port === null) throw new Error("EmbeddedWorker must be started as a worker thread")

const { dataDirectory, initialData } = workerData as EmbeddedWorkerData

/**
 * PGlite's default is 128 MB of WebAssembly memory, which is never returned. The files are also in the operating system's cache, so a page
 * that is missing here costs one read call.
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
    // PGlite has one backend for all sessions, so a new session must not inherit an open transaction or prepared statements.
    await db.exec("ROLLBACK")
    await db.exec("DISCARD ALL")
  }
  const answer = await db.execProtocolRaw(request.frame)
  // Copied, because transferring the original would detach the memory PGlite may still be using.
  reply({ _tag: "Frame", frame: new Uint8Array(answer) })
}

try {
  const db = await PGlite.create({
    ...(dataDirectory === null ? {} : { dataDir: dataDirectory }),
    ...(initialData === undefined ? {} : { loadDataDir: await openAsBlob(initialData) }),
    extensions: { pg_trgm },
    // Of the process, not of a session: DISCARD ALL would take those back.
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
