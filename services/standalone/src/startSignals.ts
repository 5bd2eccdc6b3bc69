/**
 * A signal during the start: the operator reads at once that the server ends, and it has ended 5 seconds later, whatever was being opened.
 * Only the start; a server that runs ends in order and takes the time it needs.
 */
import { Effect } from "effect"

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/** Less than 5 seconds: the process itself needs a moment to end. */
const ENDS_WITHIN_MS = 4_500

/** Also covers the time in which a start that has failed closes what it had opened. */
export const endableStart = <A, E, R>(start: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const end = (signal: NodeJS.Signals) => {
      process.stderr.write(`Matchpoint ends before it has started, on ${signal}\n`)
      setTimeout(() => {
        process.stderr.write(`Matchpoint does not end by itself within ${ENDS_WITHIN_MS / 1_000} s and is killed\n`)
        // Not `exit`, which waits for threads: the database's may hang in a call to the operating system.
        process.kill(process.pid, "SIGKILL")
      }, ENDS_WITHIN_MS).unref()
    }
    // First: the runtime ends the process within its own listener if nothing is left to close.
    for (const signal of SIGNALS) process.prependOnceListener(signal, end)
    return Effect.tap(start, () => Effect.sync(() => SIGNALS.forEach((signal) => void process.off(signal, end))))
  })
