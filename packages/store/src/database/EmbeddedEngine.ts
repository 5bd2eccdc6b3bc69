/**
 * The main thread's end of the embedded database: starts the worker, replaces one that died, closes it with the scope, and opens
 * wire-protocol streams that `@effect/sql-pg` takes for sockets. It owns no lock on the directory and no SQL.
 */

import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"
import { Worker } from "node:worker_threads"
import { Deferred, Duration, Effect, Metric, Schedule, Schema, type Scope } from "effect"
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

export const workersReplaced = Metric.counter("matchpoint_store_embedded_restarts_total", {
  description: "Times the embedded database's worker died and was replaced",
  incremental: true,
})

export interface EmbeddedEngine {
  /** A new session. PGlite has one backend, so at most one session may be in use at a time: the pool above must have size 1. */
  readonly connect: () => Duplex
}

type Settle = (result: EmbeddedReply) => void

/** Replies carry no id: the worker answers in order, so the oldest waiter is the right one. */
interface Link {
  readonly worker: Worker
  readonly waiting: Array<Settle>
  /** Streams of the pool that have not ended. They end with the worker, so that the pool opens others. */
  readonly sessions: Set<Duplex>
  dead: Error | undefined
  /** Done when the thread is gone: only then may another one open the directory. */
  readonly gone: Deferred.Deferred<void>
}

/**
 * Calls in flight when a worker dies fail as on a lost connection. On a directory another worker takes over, after 100 ms, 200 ms, ... at
 * most 10 s; in memory the data died with the worker, and every later call fails.
 */
export const makeEmbeddedEngine = Effect.fnUntraced(function* (
  dataDirectory: string | null,
  initialData: string | undefined,
): Effect.fn.Return<EmbeddedEngine, EmbeddedOpenError, Scope.Scope> {
  const begin = (data?: string) => start({ dataDirectory, initialData: data }).pipe(Effect.timeoutOrElse(startLimit(dataDirectory)))
  let current = yield* begin(initialData)
  yield* Effect.addFinalizer(() => Effect.suspend(() => stop(current)))
  const replaceWhenGone = Effect.gen(function* () {
    yield* Deferred.await(current.gone)
    yield* Effect.logError("the embedded database died; another worker takes over", current.dead)
    current = yield* begin().pipe(
      Effect.tapError((error) => Effect.logError("the embedded database cannot be opened again; it will be tried again", error)),
      Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])),
    )
    yield* Metric.update(workersReplaced, 1)
    yield* Effect.logInfo("the embedded database is open again")
  })
  // Added after the finalizer above, so that it ends before it: a worker that is being stopped is not replaced.
  if (dataDirectory !== null) yield* Effect.forkScoped(Effect.forever(replaceWhenGone))
  return { connect: () => openSession(current) }
})

/** Generous, because a directory left by a crash is recovered first, and creating one takes seconds on a busy host. */
const startLimit = (directory: string | null) => ({
  duration: Duration.seconds(60),
  orElse: () => Effect.fail(new EmbeddedOpenError({ directory, cause: new Error("not ready after 60 seconds") })),
})

const start = (workerData: EmbeddedWorkerData): Effect.Effect<Link, EmbeddedOpenError> =>
  Effect.callback<Link, EmbeddedOpenError>((resume) => {
    const { dataDirectory } = workerData
    // No inherited flags: loaders and inspectors of the main thread have no business in the database.
    const worker = new Worker(new URL("./EmbeddedWorker.ts", import.meta.url), { workerData, execArgv: [] })
    const link: Link = { worker, waiting: [], sessions: new Set(), dead: undefined, gone: Deferred.makeUnsafe() }
    const fail = (cause: unknown) => resume(Effect.fail(new EmbeddedOpenError({ directory: dataDirectory, cause })))
    link.waiting.push((first) =>
      first._tag === "Ready" ? resume(Effect.succeed(link)) : fail(first._tag === "Failed" ? first.error : first),
    )
    worker.on("message", (message: EmbeddedReply) => link.waiting.shift()?.(message))
    worker.on("error", (error) => die(link, error))
    worker.on("exit", (code) => {
      die(link, new Error(`The embedded database stopped (worker exit code ${code})`))
      Deferred.doneUnsafe(link.gone, Effect.void)
    })
    return Effect.promise(() => worker.terminate())
  })

const die = (link: Link, error: Error): void => {
  if (link.dead !== undefined) return
  link.dead = error
  for (const settle of link.waiting.splice(0)) settle({ _tag: "Failed", error })
  for (const session of link.sessions) session.destroy(error)
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
  const session = new Duplex({
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
  link.sessions.add(session)
  session.once("close", () => link.sessions.delete(session))
  return session
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: Terminate is 'X'; it would end the only backend there is. */
const isTerminate = (chunk: Buffer): boolean => chunk[0] === 0x58

/** CancelRequest: 16 bytes, request code 80877102. Query frames start with a letter, so the length word cannot be mistaken. */
const isCancelRequest = (chunk: Buffer): boolean =>
  chunk.length === 16 && chunk.readUInt32BE(0) === 16 && chunk.readUInt32BE(4) === 80_877_102
