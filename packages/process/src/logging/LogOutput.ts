/**
 * Configures the log output of the process: text lines or one JSON object per line, filtered by severity. Repeated
 * warnings and errors are summarized.
 */
import { Cause, DateTime, Effect, Layer, Logger, LogLevel, References } from "effect"
import { RepeatLimit } from "./RepeatLimit.ts"

/** Effect's log level for each value of `MATCHPOINT_LOG_LEVEL`. */
export const logLevels = { trace: "Trace", debug: "Debug", info: "Info", warning: "Warn", error: "Error" } as const
export type LogLevelName = keyof typeof logLevels

export interface LogSettings {
  /** Format of the log lines. */
  readonly log: "text" | "json"
  /** Lowest severity that is logged. */
  readonly logLevel: LogLevelName
}

/** Interval at which repeated log lines are summarized, in seconds. */
const WINDOW_SECONDS = 10

/**
 * Returns a logger that writes to `output` the lines that `RepeatLimit` admits. At the end of each time window, and
 * when the scope closes, it writes a summary of the suppressed lines.
 */
export const limitingRepeats = <Output>(output: Logger.Logger<unknown, Output>) =>
  Effect.gen(function* () {
    const limit = new RepeatLimit<Logger.Options<unknown>>()
    const summarize = Effect.map(DateTime.nowAsDate, (date) => {
      for (const { count, line } of limit.endWindow()) {
        const message = `repeated ${count} ${count === 1 ? "time" : "times"} within ${WINDOW_SECONDS} s: ${wordsOf(line.message)}`
        output.log({ ...line, message: [message], cause: Cause.empty, date })
      }
    })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(summarize, `${WINDOW_SECONDS} seconds`)))
    yield* Effect.addFinalizer(() => summarize)
    return Logger.make<unknown, void>((line) => {
      const isLimited = LogLevel.isGreaterThanOrEqualTo(line.logLevel, "Warn") && line.logLevel !== "Fatal"
      if (!isLimited || limit.admit(line.logLevel, wordsOf(line.message), line)) output.log(line)
    })
  })

/** Returns the message text of a log line, without the additional values that were logged with it. */
const wordsOf = (message: unknown): string => {
  const [first] = Array.isArray(message) ? message : [message]
  return typeof first === "string" ? first : first instanceof Error ? first.message : String(first)
}

/** Configures logging for the layers that are built with this layer. Other layers use Effect's default logging. */
export const logOutput = ({ log, logLevel }: LogSettings) =>
  Layer.mergeAll(
    Logger.layer([limitingRepeats(log === "json" ? Logger.consoleJson : Logger.defaultLogger)]),
    Layer.succeed(References.MinimumLogLevel, logLevels[logLevel]),
  )
