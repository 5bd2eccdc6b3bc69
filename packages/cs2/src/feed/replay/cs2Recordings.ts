/** Reads recordings of CS2 matches. The format is recognized by the content of the file. */
import { type RecordingFormats, UnreadableRecording } from "@matchpoint/game/feed/replay/Recording"
import { Result } from "effect"
import { parseLosslessly } from "../adapters/demoAnalyzer/AnalyzerMatch.ts"
import { analyzerRecording, readAnalyzerMatch } from "../adapters/demoAnalyzer/analyzerRecording.ts"
import { gameStateRecording, readGameStates } from "../adapters/gameState/gameStateRecording.ts"
import type { Cs2Recording } from "../adapters/Recording.ts"
import { readScorebotCapture, scorebotRecording } from "../adapters/scorebot/scorebotRecording.ts"
import { logRecording, looksLikeLog, readServerLog } from "../adapters/serverLog/logRecording.ts"

const formats = "CS2 server logs, cs-demo-analyzer matches (JSON), scorebot captures and Game State Integration posts (NDJSON)"

type Recognized = Result.Result<Cs2Recording, UnreadableRecording> | undefined

export const cs2Recordings: RecordingFormats<Cs2Recording> = {
  formats,
  read: (content) => {
    const head = new TextDecoder("latin1").decode(content.subarray(0, 8))
    if (head.startsWith("PBDEMS2") || head.startsWith("HL2DEMO")) {
      return refuse(`this is a demo; analyze it with cs-demo-analyzer first and replay its JSON. Supported formats: ${formats}`)
    }
    const text = new TextDecoder().decode(content).replace(/^\uFEFF/, "")
    if (looksLikeLog(text.trimStart())) return played(logRecording(readServerLog(text)))
    const whole = attempt(() => parseLosslessly(text))
    return Result.isSuccess(whole) ? fromValue(whole.success) : fromLines(text)
  },
}

/** An empty recording is an error. */
const played = (recording: Cs2Recording): Recognized =>
  recording.length === 0 ? refuse("the recording is empty") : Result.succeed(recording)

const fromValue = (value: unknown): Recognized => {
  if (has(value, "rounds") && has(value, "kills")) {
    return Result.match(readAnalyzerMatch(value), {
      onSuccess: (recorded) => played(analyzerRecording(recorded)),
      onFailure: (issue) =>
        refuse(`this looks like a cs-demo-analyzer match, but does not match its format:\n${String(issue).slice(0, 1_000)}`),
    })
  }
  return fromValues(Array.isArray(value) ? value : [value])
}

const fromLines = (text: string): Recognized => {
  const values: Array<unknown> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const parsed = attempt((): unknown => JSON.parse(line))
    if (Result.isFailure(parsed)) {
      return values.length === 0 ? undefined : refuse(`line ${index + 1} is not JSON: ${parsed.failure.message}`)
    }
    values.push(parsed.success)
  }
  return fromValues(values)
}

const fromValues = (values: ReadonlyArray<unknown>): Recognized => {
  if (values.some((value) => has(value, "event") && has(value, "args"))) {
    const recorded = readScorebotCapture(values)
    return recorded === undefined ? refuse("this scorebot capture has no scoreboard with two teams") : played(scorebotRecording(recorded))
  }
  if (values.some((value) => has(value, "provider") || has(value, "map") || (has(value, "t") && has(value, "body")))) {
    const recorded = readGameStates(values)
    return recorded === undefined ? refuse("these Game State Integration posts contain no match") : played(gameStateRecording(recorded))
  }
  return undefined
}

const refuse = (message: string): Result.Result<never, UnreadableRecording> => Result.fail(new UnreadableRecording({ message }))

const attempt = <A>(run: () => A): Result.Result<A, Error> =>
  Result.try({ try: run, catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause))) })

const has = (value: unknown, key: string): boolean => typeof value === "object" && value !== null && Object.hasOwn(value, key)
