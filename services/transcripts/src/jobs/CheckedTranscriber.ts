/**
 * Whether transcripts can be made in this process. Checking the tools takes up to some seconds, so the result is
 * reused, and a check that hangs counts as a problem.
 */
import { TranscriptionStatus } from "@matchpoint/transcripts/TranscriptionStatus"
import { Cache, Effect, Exit, Layer } from "effect"
import { Transcriber } from "../Transcriber.ts"
import { TranscriptWorkerConfig } from "./TranscriptWorkerConfig.ts"

const CHECK_TIMEOUT = "20 seconds"

/** Problems for the operator. If there are none, transcripts can be made. */
export const checkedProblems = Effect.gen(function* () {
  const { checkEvery, trustCheckFor } = yield* TranscriptWorkerConfig
  const { availability } = yield* Transcriber
  const check = availability.pipe(
    Effect.map(({ components }) => components.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]))),
    Effect.timeoutOrElse({ duration: CHECK_TIMEOUT, orElse: () => Effect.succeed(["the check of the tools did not end in time"]) }),
  )
  const checks = yield* Cache.makeWith(() => check, {
    capacity: 1,
    timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.length === 0 ? trustCheckFor : checkEvery),
  })
  return { problems: Cache.get(checks, "tools") }
})

export const TranscriptionStatusLayer = Layer.effect(
  TranscriptionStatus,
  Effect.map(checkedProblems, ({ problems }) => ({
    problem: Effect.map(problems, (found) =>
      found.length === 0
        ? null
        : "transcripts are not available on this server at the moment; the operator finds the reason with `npm run transcripts -- check`",
    ),
  })),
)
