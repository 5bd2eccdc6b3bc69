/**
 * Aborts the startup if a termination signal arrives: reports the signal at once and terminates the process within 5
 * seconds, even if a resource that is being opened does not respond. A server that has already started is not affected.
 */
import { Effect } from "effect"

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/**
 * How long an aborted startup may take to end by itself before the process is killed, in milliseconds. Slightly less
 * than 5 seconds, because killing the process also takes a moment.
 */
const ENDS_WITHIN_MS = 4_500

/**
 * Runs `start` in such a way that a termination signal can abort it. If `start` has failed, a signal limits how long
 * closing the already opened resources may take.
 */
export const endableStart = <A, E, R>(start: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const end = (signal: NodeJS.Signals) => {
      process.stderr.write(`Matchpoint ends before it has started, on ${signal}\n`)
      setTimeout(() => {
        process.stderr.write(`Matchpoint does not end by itself within ${ENDS_WITHIN_MS / 1_000} s and is killed\n`)
        // The process sends itself SIGKILL. `process.exit` is not enough, because it would wait for threads, and the
        // database's thread may be stuck in a system call.
        process.kill(process.pid, "SIGKILL")
      }, ENDS_WITHIN_MS).unref()
    }
    // These listeners must be registered before those of the Effect runtime, because the runtime's listeners may
    // terminate the process at once.
    for (const signal of SIGNALS) process.prependOnceListener(signal, end)
    return Effect.tap(start, () => Effect.sync(() => SIGNALS.forEach((signal) => void process.off(signal, end))))
  })
