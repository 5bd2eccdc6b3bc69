/**
 * Runs child processes until this process ends. A child that ends is started again after a wait that grows with each
 * failure in a row. A child that hangs is killed and started again.
 */
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { Effect, Fiber, Schema, Scope, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { type Liveness, untilHung } from "./hungChild.ts"

export interface Child {
  /** Name in messages, and prefix of the child's lines. */
  readonly name: string
  /** Absolute path. Runs on the Node of this process, with its flags. */
  readonly script: string
  readonly args?: ReadonlyArray<string>
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>
  /** Without it, only the end of the child is detected. */
  readonly liveness?: Liveness
}

export interface SupervisionOptions {
  /** Called for each line that a child prints. */
  readonly print: (child: Child, line: string) => Effect.Effect<void>
  /** First wait before a restart. Default 500. */
  readonly firstWaitMs?: number
  /** Default 30,000. After a child has run longer than this, the wait is the first one again. */
  readonly longestWaitMs?: number
}

class ChildEnded extends Schema.TaggedError<ChildEnded>()("ChildEnded", { message: Schema.String }) {}

/** Time between SIGTERM and SIGKILL. A child drains first, which takes as long as its settings say. */
const KILL_AFTER = "60 seconds"

/** An interruption sends SIGTERM and waits for the child's end and its last lines. */
export const superviseChild = (
  child: Child,
  { firstWaitMs = 500, longestWaitMs = 30_000, print }: SupervisionOptions,
): Effect.Effect<never, never, ChildProcessSpawner.ChildProcessSpawner> =>
  Effect.gen(function* () {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const start = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const handle = yield* Scope.provide(spawner.spawn(commandOf(child)), scope)
      yield* Effect.logInfo(`${child.name} has started as process ${handle.pid}`)
      const lines = handle.all.pipe(Stream.decodeText(), Stream.splitLines)
      const printing = yield* Effect.forkDetach(Stream.runForEach(lines, (line) => print(child, line)))
      return { handle, printing, scope }
    })
    // Read until it ends, so also while the child is ending.
    const run = Effect.acquireUseRelease(
      start,
      ({ handle }) => Effect.flatMap(endOf(child, handle), (message) => new ChildEnded({ message })),
      ({ printing, scope }, exit) => Effect.andThen(Scope.close(scope, exit), Effect.ignore(Fiber.join(printing))),
    ).pipe(Effect.tapError((error) => Effect.logError(`${error.message}; it is started again`)))
    return yield* resettingRetry({ firstMs: firstWaitMs, longestMs: longestWaitMs })(run)
  })

const commandOf = ({ args = [], env, script }: Child) =>
  ChildProcess.make(process.execPath, [...process.execArgv, script, ...args], {
    env,
    extendEnv: true,
    stdin: "ignore",
    forceKillAfter: KILL_AFTER,
  })

/** Kills a child that hangs: SIGTERM would not reach its loop. */
const endOf = Effect.fnUntraced(function* ({ liveness, name }: Child, { exitCode, kill }: ChildProcessSpawner.ChildProcessHandle) {
  // The spawner reports an end by a signal as a failure.
  const ended = Effect.match(exitCode, {
    onFailure: () => "has ended with a signal",
    onSuccess: (code) => `has ended with exit code ${code}`,
  })
  if (liveness === undefined) return `${name} ${yield* ended}`
  const hung = Effect.map(untilHung(liveness), (reason) => ({ reason }))
  const end = yield* Effect.raceFirst(ended, hung)
  if (typeof end === "string") return `${name} ${end}`
  return yield* Effect.match(kill({ killSignal: "SIGKILL" }), {
    onFailure: ({ message }) => `${name} ${end.reason}, and killing it failed: ${message}`,
    onSuccess: () => `${name} ${end.reason} and has been killed`,
  })
})
