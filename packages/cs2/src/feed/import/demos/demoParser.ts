/**
 * Runs the demo parser on one file in a separate process. The process is killed if it takes too long, prints too much
 * output, or the import is interrupted. Every failure of the parser becomes an error with a reason.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Schema } from "effect"
import { ParsedDemo } from "./ParsedDemo.ts"

export interface ParserLimits {
  readonly milliseconds: number
  /** Limit of the parser's output. */
  readonly bytes: number
}

/** Generous: a demo of a whole map takes seconds and gives a few megabytes of output. */
export const parserLimits: ParserLimits = { milliseconds: 5 * 60_000, bytes: 256 * 1024 * 1024 }

const program = fileURLToPath(new URL("./parseDemo.ts", import.meta.url))
const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ParsedDemo))

export const parseDemo = Effect.fn("demos.parseDemo")(function* (path: string, limits: ParserLimits = parserLimits) {
  const printed = yield* runParser(path, limits).pipe(
    Effect.timeoutOrElse({
      duration: limits.milliseconds,
      orElse: () => unreadable(`the demo parser did not finish within ${limits.milliseconds / 1000} s`),
    }),
  )
  return yield* Result.match(decode(printed), {
    onSuccess: Effect.succeed,
    onFailure: (issue) => unreadable(`the output of the demo parser is malformed: ${String(issue).slice(0, 500)}`),
  })
})

const unreadable = (reason: string) => Effect.fail(new UnreadableFile({ reason }))

const runParser = (path: string, limits: ParserLimits): Effect.Effect<string, UnreadableFile> =>
  Effect.callback<string, UnreadableFile>((resume) => {
    const child = spawn(process.execPath, ["--no-warnings", program, path], { stdio: ["ignore", "pipe", "pipe"], env: {} })
    const printed: Array<Buffer> = []
    let size = 0
    let complaint = ""
    const end = (result: Effect.Effect<string, UnreadableFile>): void => {
      child.kill("SIGKILL")
      resume(result)
    }
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > limits.bytes) end(unreadable(`the output of the demo parser exceeds ${Math.round(limits.bytes / 1024 / 1024)} MB`))
      else printed.push(chunk)
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaint.length < 2_000) complaint += chunk.toString("utf8")
    })
    child.on("error", (cause) => end(unreadable(`the demo parser cannot be started: ${cause.message}`)))
    child.on("close", (code, signal) => {
      if (code === 0) end(Effect.succeed(Buffer.concat(printed).toString("utf8")))
      else end(unreadable(whyRefused(complaint, signal)))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** A reason for users. `IllegalPathOp`: the parser does not support the demo's encoding of game entities. */
const whyRefused = (complaint: string, signal: string | null): string => {
  if (complaint.includes("IllegalPathOp"))
    return "the demo parser does not support the build of the game that recorded this demo (IllegalPathOp)"
  if (signal !== null) return `the demo parser crashed (${signal}): the file is truncated or not a demo`
  return `the demo parser rejects the file: ${(complaint.trim().split("\n")[0] ?? "").slice(0, 200) || "no reason given"}`
}
