/**
 * The main thread's end of the embedded database: starts the worker, closes it with the scope, and opens wire-protocol streams
 * that `@effect/sql-pg` takes for sockets. It owns no lock on the directory and no SQL.
 */

import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"
import { Worker } from "node:worker_threads"
import { Duration, Effect, Schema, type Scope } from "effect"
import type { EmbeddedReply, EmbeddedRequest, EmbeddedWorkerData } from "./EmbeddedWorker.ts"

/** The database could not be started: a damaged directory, a full disk, or one written by another major version. */
export class EmbeddedOpenError extends Schema.TaggedError<EmbeddedOpenError>("@matchpoint/store/EmbeddedOpenError")("EmbeddedOpenError", {
  directory: Schema.NullOr(Schema.String),
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `Cannot open the embedded database ${this.directory === null ? "in memory" : `in ${this.directory}`}: ${String(this.cause)}`
  }
}

export interface EmbeddedEngine {
  /** A new session. PGlite has one backend, so at most one session may be in use at a time: the pool above must have size 1. */
  readonly connect: () => Duplex
}

type Settle = (result: EmbeddedReply) => void

/** Replies carry no id: the worker answers in order, so the oldest waiter is the right one. */
interface Link {
  readonly worker: Worker
  readonly waiting: Array<Settle>
  dead: Error | undefined
}

export const makeEmbeddedEngine = (dataDirectory: string | null): Effect.Effect<EmbeddedEngine, EmbeddedOpenError, Scope.Scope> =>
  Effect.acquireRelease(start(dataDirectory).pipe(Effect.timeoutOrElse(startLimit(dataDirectory))), stop, { interruptible: true }).pipe(
    Effect.map((link) => ({ connect: () => openSession(link) })),
  )

/** Generous, because a directory left by a crash is recovered first, and creating one takes seconds on a busy host. */
const startLimit = (directory: string | null) => ({
  duration: Duration.seconds(60),
  orElse: () => Effect.fail(new EmbeddedOpenError({ directory, cause: new Error("not ready after 60 seconds") })),
})

const start = (dataDirectory: string | null): Effect.Effect<Link, EmbeddedOpenError> =>
  Effect.callback<Link, EmbeddedOpenError>((resume) => {
    const workerData: EmbeddedWorkerData = { dataDirectory }
    // No inherited flags: loaders and inspectors of the main thread have no business in the database.
    const worker = new Worker(new URL("./EmbeddedWorker.ts", import.meta.url), { workerData, execArgv: [] })
    const link: Link = { worker, waiting: [], dead: undefined }
    const fail = (cause: unknown) => resume(Effect.fail(new EmbeddedOpenError({ directory: dataDirectory, cause })))
    link.waiting.push((first) =>
      first._tag === "Ready" ? resume(Effect.succeed(link)) : fail(first._tag === "Failed" ? first.error : first),
    )
    worker.on("message", (message: EmbeddedReply) => link.waiting.shift()?.(message))
    worker.on("error", (error) => die(link, error))
    worker.on("exit", (code) => die(link, new Error(`The embedded database stopped (worker exit code ${code})`)))
    return Effect.promise(() => worker.terminate())
  })

const die = (link: Link, error: Error): void => {
  if (link.dead !== undefined) return
  link.dead = error
  for (const settle of link.waiting.splice(0)) settle({ _tag: "Failed", error })
}

/** Lets a statement that still runs finish and the database write its checkpoint, but not for longer than 5 seconds. */
const stop = (link: Link): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (link.dead !== undefined) return resume(Effect.void)
    link.worker.once("exit", () => resume(Effect.void))
    link.worker.postMessage("close" satisfies EmbeddedRequest)
  }).pipe(
    Effect.timeoutOrElse({ duration: Duration.seconds(5), orElse: () => Effect.promise(() => link.worker.terminate()) }),
    // A finalizer is uninterruptible by default, and then the limit above could not end the wait.
    Effect.interruptible,
  )

const exchange = (link: Link, bytes: Uint8Array, opensSession: boolean, settle: Settle): void => {
  if (link.dead !== undefined) {
    settle({ _tag: "Failed", error: link.dead })
    return
  }
  link.waiting.push(settle)
  // A copy that is handed over: a Buffer is a window on a shared pool, and cloning it would send the whole pool.
  const frame = new Uint8Array(bytes)
  link.worker.postMessage({ frame, opensSession } satisfies EmbeddedRequest, [frame.buffer])
}

const openSession = (link: Link): Duplex => {
  let opened = false
  return new Duplex({
    read() {
      // Replies are pushed as they come.
    },
    write(this: Duplex, chunk: Buffer, _encoding, done) {
      if (isTerminate(chunk)) return done()
      if (isCancelRequest(chunk)) {
        // Nothing can interrupt the running statement; closing tells the client not to wait for a confirmation.
        this.destroy()
        return done()
      }
      const opensSession = !opened
      opened = true
      exchange(link, chunk, opensSession, (result) => {
        if (result._tag === "Failed") return done(result.error instanceof Error ? result.error : new Error(String(result.error)))
        if (result._tag === "Frame" && !this.destroyed) this.push(Buffer.from(result.frame.buffer))
        done()
      })
    },
    final(this: Duplex, done) {
      this.push(null)
      done()
    },
  })
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: Terminate is 'X'; it would end the only backend there is. */
const isTerminate = (chunk: Buffer): boolean => chunk[0] === 0x58

/** CancelRequest: 16 bytes, request code 80877102. Query frames start with a letter, so the length word cannot be mistaken. */
const isCancelRequest = (chunk: Buffer): boolean =>
  chunk.length === 16 && chunk.readUInt32BE(0) === 16 && chunk.readUInt32BE(4) === 80_877_102
