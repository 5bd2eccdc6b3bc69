/**
 * Log output of the process: text or one JSON object per line, filtered by level. Repeated warnings and errors are
 * summarized.
 */
import { Cause, DateTime, Effect, Layer, Logger, LogLevel, References } from "effect"
import { RepeatLimit } from "./RepeatLimit.ts"

/** Effect's log levels by their names in MATCHPOINT_LOG_LEVEL. */
export const logLevels = { trace: "Trace", debug: "Debug", info: "Info", warning: "Warn", error: "Error" } as const
export type LogLevelName = keyof typeof logLevels

export interface LogSettings {
  readonly format: "text" | "json"
  readonly level: LogLevelName
}

/** Interval at which repeats are reported. */
const WINDOW_SECONDS = 10

/**
 * Writes to `output` the lines that `RepeatLimit` admits. At the end of each window and of the scope, writes a summary
 * of the other lines.
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

/** Returns the text of a log line without its details. */
const wordsOf = (message: unknown): string => {
  const [first] = Array.isArray(message) ? message : [message]
  return typeof first === "string" ? first : first instanceof Error ? first.message : String(first)
}

/** Configures logging for the layers that are built with it. Other layers use effect's defaults. */
export const logOutput = ({ format, level }: LogSettings) =>
  Layer.mergeAll(
    Logger.layer([limitingRepeats(format === "json" ? Logger.consoleJson : Logger.defaultLogger)]),
    Layer.succeed(References.MinimumLogLevel, logLevels[level]),
  )
