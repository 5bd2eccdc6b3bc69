/**
 * Aborts the start on a termination signal: reports it at once and ends the process within 5 seconds, even if a
 * resource that is being opened does not respond. A server that has started is not affected.
 */
import { Effect } from "effect"

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/** Less than 5 seconds, because killing the process also takes a moment. */
const ENDS_WITHIN_MS = 4_500

/** A signal aborts `start`. If `start` has failed, it limits how long closing the opened resources may take. */
export const endableStart = <A, E, R>(start: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const end = (signal: NodeJS.Signals) => {
      process.stderr.write(`Matchpoint ends before it has started, on ${signal}\n`)
      setTimeout(() => {
        process.stderr.write(`Matchpoint does not end by itself within ${ENDS_WITHIN_MS / 1_000} s and is killed\n`)
        // `process.exit` would wait for threads, and the database's thread may be stuck in a system call.
        process.kill(process.pid, "SIGKILL")
      }, ENDS_WITHIN_MS).unref()
    }
    // These listeners must run before those of the Effect runtime, which may terminate the process at once.
    for (const signal of SIGNALS) process.prependOnceListener(signal, end)
    return Effect.tap(start, () => Effect.sync(() => SIGNALS.forEach((signal) => void process.off(signal, end))))
  })
