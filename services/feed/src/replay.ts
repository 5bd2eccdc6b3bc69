/**
 * `npm run replay -- <file> [--speed 10|max] [--url http://localhost:8080] [--token ...]` replays a recorded match to a
 * running server as a new match. Exit code 0: the server accepted everything. 1: something failed. 130: stopped with
 * Ctrl-C; the new match is then cancelled. With `--check`, computes every match of a file of tennis point strings
 * without a server and compares the scores; exit code 0 then means that the file could be read.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { UnreadableRecording } from "@matchpoint/game/feed/replay/Recording"
import { recordingChecks, recordingFormats } from "@matchpoint/games/recordings"
import { Clock, Config, Console, Effect, FileSystem, Redacted, Result, Schema, Terminal } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { FeedTarget } from "./replay/FeedTarget.ts"
import { type Progress, playInto } from "./replay/playInto.ts"
import { MAX_UNPACKED_BYTES, recognize } from "./replay/recognize.ts"
import { progressLine } from "./replay/summary.ts"

/** The server did not accept the whole match. */
class IncompleteReplay extends Schema.TaggedError<IncompleteReplay>()("IncompleteReplay", { message: Schema.String }) {}

const Speed = Schema.Union([Schema.Literal("max"), Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0.1, maximum: 1_000 }))])

const readFile = Effect.fn("replay.readFile")(function* (path: string, number: number) {
  const files = yield* FileSystem.FileSystem
  const unreadable = (message: string) => new UnreadableRecording({ message: `${path}: ${message}` })
  const info = yield* Effect.mapError(files.stat(path), () => unreadable("the file does not exist"))
  if (info.type !== "File") return yield* unreadable("the path is not a file")
  if (Number(info.size) > MAX_UNPACKED_BYTES) return yield* unreadable("the file is too large")
  const bytes = yield* Effect.mapError(files.readFile(path), (error) => unreadable(error.message))
  return yield* Result.match(recognize(recordingFormats, bytes, number), {
    onSuccess: Effect.succeed,
    onFailure: ({ message }) => Effect.fail(unreadable(message)),
  })
})

/** On a terminal, one line is overwritten; otherwise a new line is printed every few seconds. */
const reporter = Effect.gen(function* () {
  const terminal = yield* Terminal.Terminal
  const elapsed = monotonicOf(yield* Clock.Clock)
  const startedAt = elapsed()
  const watched = process.stdout.isTTY
  let last = startedAt
  return Effect.fnUntraced(function* (progress: Progress) {
    const now = elapsed()
    if (now - last < (watched ? 100 : 5_000) && progress.share < 1) return
    last = now
    const line = progressLine(progress, (now - startedAt) / 1000)
    yield* Effect.orDie(terminal.display(watched ? `\r\x1b[K${line}${progress.share < 1 ? "" : "\n"}` : `${line}\n`))
  })
})

const replay = Command.make(
  "replay",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Recorded match: server log, analyzer JSON, scorebot or GSI capture, tennis point file"),
    ),
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Compute the matches of a tennis point file without a server and compare the scores"),
      Flag.withDefault(false),
    ),
    match: Flag.Int("match").pipe(
      Flag.withDescription("Number of the match in a file with several, such as a tennis point file"),
      Flag.withDefault(1),
      Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
    ),
    speed: Flag.String("speed").pipe(
      Flag.withDescription("Factor of the original speed, 0.1 to 1000, or max"),
      Flag.withDefault("1"),
      Flag.withSchema(Speed),
    ),
    url: Flag.String("url").pipe(Flag.withDescription("URL of the server"), Flag.withDefault("http://localhost:8080")),
    token: Flag.Redacted("token").pipe(
      Flag.withDescription("The server's feed token; default MATCHPOINT_FEED_TOKEN, else that of a standalone server"),
      Flag.withFallbackConfig(Config.Redacted("MATCHPOINT_FEED_TOKEN")),
      Flag.withDefault(Redacted.make("mp_dev_feed")),
    ),
  },
  Effect.fn("replay")(function* ({ check, file, match, speed, token, url }) {
    if (check) return yield* Console.log((yield* Effect.forEach(recordingChecks, (one) => one.run(file))).flat().join("\n"))
    const recording = yield* readFile(file, match)
    yield* Console.log(`${recording.format}: ${recording.title}`)
    const played = yield* Effect.provide(playInto(recording, speed, yield* reporter), FeedTarget.layer({ url, token }))
    if (played.step !== undefined) yield* Console.log(`\n${played.step.table()}\n`)
    yield* Console.log(`${played.matchId} at ${url}`)
    for (const { line, message } of played.problems.slice(0, 5)) yield* Console.error(`not a fact: ${line ?? ""} ${message.slice(0, 200)}`)
    if (played.problems.length > 5) yield* Console.error(`... and ${played.problems.length - 5} more`)
    const [first] = played.refused
    if (first !== undefined) {
      return yield* new IncompleteReplay({ message: `the server rejected ${played.refused.length} facts; first reason: ${first.message}` })
    }
  }),
).pipe(Command.withDescription("Plays a recorded match into a running server"))

/** Prints an error that the user can act on without a stack trace. */
const explain = <E extends { readonly message: string }>(error: E) => Effect.andThen(Console.error(error.message), Effect.fail(error))

Command.run(replay, { version: "0.1.0" }).pipe(
  Effect.catchTags({ UnreadableRecording: explain, TargetError: explain, IncompleteReplay: explain }),
  Effect.tapDefect((defect) => Console.error(defect)),
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain({ disableErrorReporting: true }),
)
