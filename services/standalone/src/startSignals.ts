/**
 * Ends a start on a signal: reports it at once and ends the process within 5 seconds, even if something that is being opened hangs. A server
 * that has started is not affected.
 */
import { Effect } from "effect"

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/** A little less than 5 seconds, because the process itself needs a moment to end. */
const ENDS_WITHIN_MS = 4_500

/** Covers the start and, if it fails, the time until everything that it had opened is closed. */
export const endableStart = <A, E, R>(start: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const end = (signal: NodeJS.Signals) => {
      process.stderr.write(`Matchpoint ends before it has started, on ${signal}\n`)
      setTimeout(() => {
        process.stderr.write(`Matchpoint does not end by itself within ${ENDS_WITHIN_MS / 1_000} s and is killed\n`)
        // `process.exit` waits for threads, and the thread of the database may hang in a system call.
        process.kill(process.pid, "SIGKILL")
      }, ENDS_WITHIN_MS).unref()
    }
    // Before the listener of the runtime, which may end the process at once.
    for (const signal of SIGNALS) process.prependOnceListener(signal, end)
    return Effect.tap(start, () => Effect.sync(() => SIGNALS.forEach((signal) => void process.off(signal, end))))
  })
