/**
 * The main thread's side of the embedded database. It starts the worker, replaces a worker that died, stops it when the
 * scope closes, and opens wire-protocol streams that `@effect/sql-pg` uses like sockets. It does not own the directory
 * lock and contains no SQL.
 */

import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"
import { Worker } from "node:worker_threads"
import { Deferred, Duration, Effect, Metric, Schedule, Schema, type Scope } from "effect"
import type { EmbeddedReply, EmbeddedRequest, EmbeddedWorkerData } from "./EmbeddedWorker.ts"

/**
 * The database could not be started. Possible causes: a damaged directory, a full disk, or a directory written by
 * another major version.
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
  /**
   * Opens a session. PGlite has one backend, so at most one session may be in use at a time: the pool that uses this
   * must have size 1.
   */
  readonly connect: () => Duplex
}

type Settle = (result: EmbeddedReply) => void

/**
 * Connection to a worker. Replies carry no id: the worker replies in order, so each reply belongs to the oldest waiting
 * request.
 */
interface Link {
  readonly worker: Worker
  readonly waiting: Array<Settle>
  /** Open streams of the pool. They end when the worker dies, so that the pool opens new ones. */
  readonly sessions: Set<Duplex>
  dead: Error | undefined
  /** Completes when the thread has ended. Only then may another worker open the directory. */
  readonly gone: Deferred.Deferred<void>
}

/**
 * Starts the embedded database. If the worker dies, calls in flight fail as on a lost connection. With a directory, a
 * new worker is started; failed starts are retried after 100 ms, 200 ms and so on, at most every 10 s. In memory, the
 * data dies with the worker and every later call fails.
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
    yield* Effect.logError("the worker of the embedded database died; starting a new one", current.dead)
    current = yield* begin().pipe(
      Effect.tapError((error) => Effect.logError("could not reopen the embedded database; retrying", error)),
      Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])),
    )
    yield* Metric.update(workersReplaced, 1)
    yield* Effect.logInfo("reopened the embedded database")
  })
  // Forked after the finalizer above was added, so that it is interrupted first: a worker that is being stopped is not
  // replaced.
  if (dataDirectory !== null) yield* Effect.forkScoped(Effect.forever(replaceWhenGone))
  return { connect: () => openSession(current) }
})

/**
 * Time limit of a start. Generous, because a directory is recovered first after a crash, and creating one takes seconds
 * on a busy host.
 */
const startLimit = (directory: string | null) => ({
  duration: Duration.seconds(60),
  orElse: () => Effect.fail(new EmbeddedOpenError({ directory, cause: new Error("not ready after 60 seconds") })),
})

const start = (workerData: EmbeddedWorkerData): Effect.Effect<Link, EmbeddedOpenError> =>
  Effect.callback<Link, EmbeddedOpenError>((resume) => {
    const { dataDirectory } = workerData
    // The worker inherits no Node flags, because loaders and inspectors of the main thread must not run in the
    // database.
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

/**
 * Waits at most 5 seconds for the running statement to finish and the database to write its checkpoint. Then terminates
 * the worker.
 */
const stop = (link: Link): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (link.dead !== undefined) return resume(Effect.void)
    link.worker.once("exit", () => resume(Effect.void))
    link.worker.postMessage("close" satisfies EmbeddedRequest)
  }).pipe(
    Effect.timeoutOrElse({ duration: Duration.seconds(5), orElse: () => Effect.promise(() => link.worker.terminate()) }),
    // A finalizer is uninterruptible by default. Without this, the time limit above could not end the wait.
    Effect.interruptible,
  )

const exchange = (link: Link, bytes: Uint8Array, opensSession: boolean, settle: Settle): void => {
  if (link.dead !== undefined) {
    settle({ _tag: "Failed", error: link.dead })
    return
  }
  link.waiting.push(settle)
  // Copied and transferred: a Buffer is a view of a shared pool, and cloning it would send the whole pool.
  const frame = new Uint8Array(bytes)
  link.worker.postMessage({ frame, opensSession } satisfies EmbeddedRequest, [frame.buffer])
}

const openSession = (link: Link): Duplex => {
  let opened = false
  const session = new Duplex({
    read() {
      // Nothing to do: replies are pushed when they arrive.
    },
    write(this: Duplex, chunk: Buffer, _encoding, done) {
      if (isTerminate(chunk)) return done()
      if (isCancelRequest(chunk)) {
        // The running statement cannot be interrupted. Closing the stream tells the client not to wait for a
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
 * Returns true for a Terminate message ('X'). It must not reach PGlite, because it would end the only backend. Format:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const isTerminate = (chunk: Buffer): boolean => chunk[0] === 0x58

/**
 * Returns true for a CancelRequest message: 16 bytes with request code 80877102. Query messages start with a letter, so
 * their first bytes cannot be confused with its length.
 */
const isCancelRequest = (chunk: Buffer): boolean =>
  chunk.length === 16 && chunk.readUInt32BE(0) === 16 && chunk.readUInt32BE(4) === 80_877_102
