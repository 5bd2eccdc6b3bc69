/** Log output as text lines or one JSON object per line. Repeated warnings and errors are summarized. */
import { Cause, DateTime, Effect, Layer, Logger, LogLevel, References } from "effect"
import { RepeatLimit } from "./RepeatLimit.ts"

/** Effect's log levels by value of `MATCHPOINT_LOG_LEVEL`. */
export const logLevels = { trace: "Trace", debug: "Debug", info: "Info", warning: "Warn", error: "Error" } as const
export type LogLevelName = keyof typeof logLevels

export interface LogSettings {
  readonly log: "text" | "json"
  /** Lowest severity that is logged. */
  readonly logLevel: LogLevelName
}

/** Interval of the summaries. */
const WINDOW_SECONDS = 10

/** Writes the lines that `RepeatLimit` admits. After each window, and when the scope closes, summarizes the suppressed lines. */
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

/** Text of a log line without the additional values. */
const wordsOf = (message: unknown): string => {
  const [first] = Array.isArray(message) ? message : [message]
  return typeof first === "string" ? first : first instanceof Error ? first.message : String(first)
}

/** Configures the layers that are built with this layer. Others use Effect's default logging. */
export const logOutput = ({ log, logLevel }: LogSettings) =>
  Layer.mergeAll(
    Logger.layer([limitingRepeats(log === "json" ? Logger.consoleJson : Logger.defaultLogger)]),
    Layer.succeed(References.MinimumLogLevel, logLevels[logLevel]),
  )
