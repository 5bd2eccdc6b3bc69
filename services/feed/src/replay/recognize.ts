/** Which kind of recording some bytes are, by what is in them and not by their name. */
import { gunzipSync } from "node:zlib"
import { Result, Schema } from "effect"
import { parseLosslessly } from "../cs2/adapters/demoAnalyzer/AnalyzerMatch.ts"
import { analyzerRecording, readAnalyzerMatch } from "../cs2/adapters/demoAnalyzer/analyzerRecording.ts"
import { gameStateRecording, readGameStates } from "../cs2/adapters/gameState/gameStateRecording.ts"
import type { Recording } from "../cs2/adapters/Recording.ts"
import { readScorebotCapture, scorebotRecording } from "../cs2/adapters/scorebot/scorebotRecording.ts"
import { logRecording, looksLikeLog, readServerLog } from "../cs2/adapters/serverLog/logRecording.ts"

/** Says what the file is not, and what would do. */
export class UnreadableRecording extends Schema.TaggedError<UnreadableRecording>()("UnreadableRecording", { message: Schema.String }) {}

const formats =
  "CS2 server logs, cs-demo-analyzer matches (JSON), scorebot captures and Game State Integration posts (NDJSON), each also gzip'd"

/** What a packed file may unpack to. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

type Recognized = Result.Result<Recording, UnreadableRecording>

export const recognize = (bytes: Uint8Array): Recognized =>
  Result.flatMap(unpacked(bytes), (content) => {
    const head = new TextDecoder("latin1").decode(content.subarray(0, 8))
    if (head.startsWith("PBDEMS2") || head.startsWith("HL2DEMO")) {
      return refuse(`this is a demo; analyze it with cs-demo-analyzer first and replay its JSON. What can be replayed: ${formats}`)
    }
    const text = new TextDecoder().decode(content).replace(/^\uFEFF/, "")
    if (text.trim() === "") return refuse("the file is empty")
    if (looksLikeLog(text.trimStart())) return played(logRecording(readServerLog(text)))
    const whole = attempt(() => parseLosslessly(text))
    return Result.isSuccess(whole) ? fromValue(whole.success) : fromLines(text)
  })

/** The rest of the file's story, or why there is none. */
const played = (recording: Recording): Recognized =>
  recording.length === 0 ? refuse("there is nothing in this file to play") : Result.succeed(recording)

const fromValue = (value: unknown): Recognized => {
  if (has(value, "rounds") && has(value, "kills")) {
    return Result.match(readAnalyzerMatch(value), {
      onSuccess: (recorded) => played(analyzerRecording(recorded)),
      onFailure: (issue) => refuse(`this looks like a cs-demo-analyzer match, but does not fit:\n${String(issue).slice(0, 1_000)}`),
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
      return values.length === 0
        ? refuse(`this is neither a log nor JSON. What can be replayed: ${formats}`)
        : refuse(`line ${index + 1} is not JSON: ${parsed.failure.message}`)
    }
    values.push(parsed.success)
  }
  return fromValues(values)
}

const fromValues = (values: ReadonlyArray<unknown>): Recognized => {
  if (values.some((value) => has(value, "event") && has(value, "args"))) {
    const recorded = readScorebotCapture(values)
    return recorded === undefined ? refuse("no scoreboard in this scorebot capture shows two teams") : played(scorebotRecording(recorded))
  }
  if (values.some((value) => has(value, "provider") || has(value, "map") || (has(value, "t") && has(value, "body")))) {
    const recorded = readGameStates(values)
    return recorded === undefined
      ? refuse("none of these Game State Integration posts is about a match")
      : played(gameStateRecording(recorded))
  }
  return refuse(`this JSON is of no known kind. What can be replayed: ${formats}`)
}

const unpacked = (bytes: Uint8Array): Result.Result<Uint8Array, UnreadableRecording> => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return Result.succeed(bytes)
  return Result.mapError(
    attempt((): Uint8Array => gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES })),
    (cause) => new UnreadableRecording({ message: `the gzip'd file can't be unpacked: ${cause.message}` }),
  )
}

const refuse = (message: string): Result.Result<never, UnreadableRecording> => Result.fail(new UnreadableRecording({ message }))

const attempt = <A>(run: () => A): Result.Result<A, Error> =>
  Result.try({ try: run, catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause))) })

const has = (value: unknown, key: string): boolean => typeof value === "object" && value !== null && Object.hasOwn(value, key)
