/**
 * The main-thread side of the embedded database: starts the worker thread, replaces a worker that has died, stops it
 * when the scope closes, and opens wire-protocol streams that `@effect/sql-pg` uses like sockets. The directory lock is
 * acquired elsewhere.
 */
import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"
import { Worker } from "node:worker_threads"
import { Deferred, Duration, Effect, Metric, Schedule, Schema, type Scope } from "effect"
import type { EmbeddedReply, EmbeddedRequest, EmbeddedWorkerData } from "./EmbeddedWorker.ts"
import { newDataDirectory } from "./newDataDirectory.ts"

/**
 * The database could not be started: for example, its directory is damaged or of another major version, or the disk is
 * full.
 */
export class EmbeddedOpenError extends Schema.TaggedError<EmbeddedOpenError>("@matchpoint/store/EmbeddedOpenError")("EmbeddedOpenError", {
  directory: Schema.NullOr(Schema.String),
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `Cannot open the embedded database ${this.directory === null ? "in memory" : `in ${this.directory}`}: ${String(this.cause)}`
  }
}

export const workersReplaced = Metric.counter("matchpoint_store_embedded_restarts_total", {
  description: "Number of times the embedded database's worker died and was replaced",
  incremental: true,
})

export interface EmbeddedEngine {
  /** Opens a session. PGlite has a single backend, so at most one session may be in use: the pool must have size 1. */
  readonly connect: () => Duplex
}

type Settle = (result: EmbeddedReply) => void

/** Connection to a worker thread. Replies carry no id: each belongs to the oldest request that has no reply yet. */
interface Link {
  readonly worker: Worker
  readonly waiting: Array<Settle>
  /** Streams that the pool has open. If the worker dies, they are closed, so that the pool opens new ones. */
  readonly sessions: Set<Duplex>
  dead: Error | undefined
  /** Completes when the worker thread has ended. Only then may another worker open the data directory. */
  readonly gone: Deferred.Deferred<void>
}

/**
 * Starts the database in a worker thread. If the worker dies, running statements fail as if the connection had been
 * lost. If the data is in a directory, a new worker is started, with retries after 100 ms, 200 ms and so on, at most
 * every 10 s. If it is in memory, it is lost and all later statements fail.
 */
export const makeEmbeddedEngine = Effect.fnUntraced(function* (
  dataDirectory: string | null,
  initialData: string | undefined,
): Effect.fn.Return<EmbeddedEngine, EmbeddedOpenError, Scope.Scope> {
  if (dataDirectory !== null) {
    yield* Effect.tryPromise({
      try: () => newDataDirectory(dataDirectory, initialData),
      catch: (cause) => new EmbeddedOpenError({ directory: dataDirectory, cause }),
    })
  }
  const begin = start({ dataDirectory, initialData }).pipe(Effect.timeoutOrElse(startLimit(dataDirectory)))
  let current = yield* begin
  yield* Effect.addFinalizer(() => Effect.suspend(() => stop(current)))
  const replaceWhenGone = Effect.gen(function* () {
    yield* Deferred.await(current.gone)
    yield* Effect.logError("the worker of the embedded database died; starting a new one", current.dead)
    current = yield* begin.pipe(
      Effect.tapError((error) => Effect.logError("could not reopen the embedded database; retrying", error)),
      Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])),
    )
    yield* Metric.update(workersReplaced, 1)
    yield* Effect.logInfo("reopened the embedded database")
  })
  // Forked after the finalizer above, so that the loop is interrupted before the finalizer stops the worker. In the
  // reverse order, the loop would replace the worker that is being stopped.
  if (dataDirectory !== null) yield* Effect.forkScoped(Effect.forever(replaceWhenGone))
  return { connect: () => openSession(current) }
})

/** Long, because the start includes recovery after a crash. */
const startLimit = (directory: string | null) => ({
  duration: Duration.seconds(60),
  orElse: () => Effect.fail(new EmbeddedOpenError({ directory, cause: new Error("not ready after 60 seconds") })),
})

const start = (workerData: EmbeddedWorkerData): Effect.Effect<Link, EmbeddedOpenError> =>
  Effect.callback<Link, EmbeddedOpenError>((resume) => {
    const { dataDirectory } = workerData
    // The worker gets no Node flags: module loaders and inspectors of the main thread must not run in the database's
    // thread.
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

/** Waits at most 5 seconds for the running statement and the checkpoint, then terminates the thread. */
const stop = (link: Link): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (link.dead !== undefined) return resume(Effect.void)
    link.worker.once("exit", () => resume(Effect.void))
    link.worker.postMessage("close" satisfies EmbeddedRequest)
  }).pipe(
    Effect.timeoutOrElse({ duration: Duration.seconds(5), orElse: () => Effect.promise(() => link.worker.terminate()) }),
    // Without this, the wait would be uninterruptible, as finalizers are, and the timeout above could not end it.
    Effect.interruptible,
  )

const exchange = (link: Link, bytes: Uint8Array, opensSession: boolean, settle: Settle): void => {
  if (link.dead !== undefined) {
    settle({ _tag: "Failed", error: link.dead })
    return
  }
  link.waiting.push(settle)
  // Copied, so that only the copy is transferred to the worker. The original Buffer is a view of a shared memory pool,
  // and sending it would clone the whole pool.
  const frame = new Uint8Array(bytes)
  link.worker.postMessage({ frame, opensSession } satisfies EmbeddedRequest, [frame.buffer])
}

const openSession = (link: Link): Duplex => {
  let opened = false
  const session = new Duplex({
    read() {
      // Does nothing: replies are pushed to the stream as soon as they arrive.
    },
    write(this: Duplex, chunk: Buffer, _encoding, done) {
      if (isTerminate(chunk)) return done()
      if (isCancelRequest(chunk)) {
        // PGlite cannot interrupt the running statement. The stream is closed so that the client does not wait for a
        // confirmation.
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

/**
 * Terminate ('X') must not reach PGlite, because it would end the only backend. Message format:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const isTerminate = (chunk: Buffer): boolean => chunk[0] === 0x58

/**
 * 16 bytes with the request code 80877102. Query messages differ: they start with a letter, a CancelRequest with its
 * length.
 */
const isCancelRequest = (chunk: Buffer): boolean =>
  chunk.length === 16 && chunk.readUInt32BE(0) === 16 && chunk.readUInt32BE(4) === 80_877_102
