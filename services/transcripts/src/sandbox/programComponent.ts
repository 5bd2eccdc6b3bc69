/** A program of the search path for `npm run transcripts -- check`. */
import { Effect } from "effect"
import type { Component } from "../Transcriber.ts"
import type { Sandbox } from "./Sandbox.ts"

interface Program {
  readonly program: string
  /** Arguments that print the version on standard output or standard error. */
  readonly args: ReadonlyArray<string>
  /** How to install it. */
  readonly advice: string
}

const VERSION_TIMEOUT_MS = 10_000

export const programComponent = (sandbox: Sandbox["Service"], { advice, args, program }: Program): Effect.Effect<Component> =>
  Effect.gen(function* () {
    const path = yield* sandbox.find(program)
    const directory = yield* sandbox.directory
    const { exitCode, stderr, stdout } = yield* sandbox.run({
      ...{ program: path, args, directory, timeoutMs: VERSION_TIMEOUT_MS, maxOutputBytes: 64 * 1_024 },
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      limits: { cpuSeconds: 10, memoryBytes: 1024 ** 3, fileBytes: 1024 ** 2 },
    })
    const version = `${stdout}\n${stderr}`.trim().split("\n")[0]?.slice(0, 100) ?? ""
    const problem = exitCode === 0 ? null : `${path} ends with ${exitCode ?? "a signal"}: ${version}. ${advice}`
    return { name: program, version: version === "" ? path : version, problem }
  }).pipe(
    Effect.scoped,
    Effect.catch((failure) => Effect.succeed({ name: program, version: null, problem: `${failure.message}. ${advice}` })),
  )
